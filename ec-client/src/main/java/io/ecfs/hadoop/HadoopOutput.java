package io.ecfs.hadoop;

import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;
import org.apache.hadoop.util.Progressable;

/** Hadoop's output stream to a new file. */
final class HadoopOutput extends OutputStream implements Syncable, StreamCapabilities, IOStatisticsSource {
    private final EcfsOutputStream stream;
    private final Path path;
    private final Progressable progress;
    private final IOStatisticsStore counters = IOStatisticsBinding.iostatisticsStore()
            .withCounters(
                    StreamStatisticNames.STREAM_WRITE_BYTES,
                    StoreStatisticNames.OP_HFLUSH,
                    StoreStatisticNames.OP_HSYNC)
            .build();

    /** @param progress notified of every write; may be null, as Hadoop allows */
    HadoopOutput(EcfsOutputStream stream, Progressable progress) {
        this.stream = stream;
        this.path = new Path(stream.file().path().text());
        this.progress = progress == null ? () -> {} : progress;
    }

    @Override
    public synchronized void write(int value) throws IOException {
        call(() -> stream.write(value));
        counters.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        call(() -> stream.write(bytes, offset, length));
        counters.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, length);
        progress.progress();
    }

    @Override
    public synchronized void flush() throws IOException {
        call(stream::flush);
    }

    @Override
    public synchronized void hflush() throws IOException {
        counters.incrementCounter(StoreStatisticNames.OP_HFLUSH);
        call(stream::hflush);
    }

    @Override
    public synchronized void hsync() throws IOException {
        counters.incrementCounter(StoreStatisticNames.OP_HSYNC);
        call(stream::hsync);
    }

    @Override
    @SuppressWarnings("deprecation") // HFLUSH is still queried
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.HFLUSH, StreamCapabilities.HSYNC, StreamCapabilities.IOSTATISTICS -> true;
            default -> false;
        };
    }

    @Override
    public IOStatistics getIOStatistics() {
        return counters;
    }

    @Override
    public synchronized void close() throws IOException {
        call(stream::close);
    }

    private interface Call {
        void run() throws IOException;
    }

    /** A small file may exceed a quota only when it is closed. */
    private void call(Call call) throws IOException {
        try {
            call.run();
        } catch (EcfsException e) {
            throw HadoopFailures.translated(e, path);
        }
    }
}

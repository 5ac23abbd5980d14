package io.ecfs.hadoop;

import io.ecfs.client.write.EcfsOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
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
        this.progress = progress == null ? () -> {} : progress;
    }

    @Override
    public synchronized void write(int value) throws IOException {
        stream.write(value);
        counters.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        stream.write(bytes, offset, length);
        counters.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, length);
        progress.progress();
    }

    @Override
    public synchronized void flush() throws IOException {
        stream.flush();
    }

    @Override
    public synchronized void hflush() throws IOException {
        counters.incrementCounter(StoreStatisticNames.OP_HFLUSH);
        stream.hflush();
    }

    @Override
    public synchronized void hsync() throws IOException {
        counters.incrementCounter(StoreStatisticNames.OP_HSYNC);
        stream.hsync();
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
        stream.close();
    }
}

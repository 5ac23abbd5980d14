package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/** A file as Hadoop reads it. Positional reads go past the stream's position and may come from several threads. */
final class HadoopInput extends FSInputStream
        implements ByteBufferReadable,
                ByteBufferPositionedReadable,
                CanUnbuffer,
                StreamCapabilities,
                IOStatisticsSource {
    private final EcfsClient client;
    private final FileReader file;
    private final EcfsInputStream stream;
    private final FileSystem.Statistics statistics;
    private final IOStatisticsStore counters = IOStatisticsBinding.iostatisticsStore()
            .withCounters(
                    StreamStatisticNames.STREAM_READ_BYTES,
                    StreamStatisticNames.STREAM_READ_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_UNBUFFERED,
                    StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES)
            .build();
    private volatile boolean closed;

    HadoopInput(EcfsClient client, FileReader file, FileSystem.Statistics statistics) {
        this.client = client;
        this.file = file;
        this.stream = file.stream();
        this.statistics = statistics;
    }

    @Override
    public synchronized int read() throws IOException {
        requireOpen();
        int value = stream.read();
        return counted(value < 0 ? -1 : 1) < 0 ? -1 : value;
    }

    @Override
    public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
        requireOpen();
        return counted(stream.read(bytes, offset, length));
    }

    @Override
    public synchronized int read(ByteBuffer target) throws IOException {
        requireOpen();
        return counted(stream.read(target));
    }

    @Override
    public int read(long position, byte[] bytes, int offset, int length) throws IOException {
        requireOpen();
        validatePositionedReadArgs(position, bytes, offset, length);
        return counted(file.read(position, ByteBuffer.wrap(bytes, offset, length)));
    }

    @Override
    public int read(long position, ByteBuffer target) throws IOException {
        requireOpen();
        requirePosition(position);
        return counted(file.read(position, target));
    }

    @Override
    public void readFully(long position, ByteBuffer target) throws IOException {
        int wanted = target.remaining();
        if (wanted > 0 && read(position, target) < wanted) {
            throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY);
        }
    }

    @Override
    public synchronized void seek(long position) throws IOException {
        requireOpen();
        requirePosition(position);
        if (position > file.length()) {
            throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF + ": " + position + " of " + file.length());
        }
        counters.incrementCounter(StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS);
        stream.seek(position);
    }

    @Override
    public int minSeekForVectorReads() {
        return VectoredReads.NEAR_BYTES;
    }

    @Override
    public int maxReadSizeForVectorReads() {
        return VectoredReads.MOST_BYTES;
    }

    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate) throws IOException {
        readVectored(ranges, allocate, unused -> {});
    }

    @Override
    public void readVectored(
            List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release)
            throws IOException {
        requireOpen();
        counters.incrementCounter(StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS);
        counters.incrementCounter(StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES, ranges.size());
        new VectoredReads(client, file, allocate, release, this::counted).start(ranges);
    }

    @Override
    public IOStatistics getIOStatistics() {
        return counters;
    }

    @Override
    public synchronized long getPos() {
        return stream.position();
    }

    @Override
    public boolean seekToNewSource(long target) {
        return false;
    }

    @Override
    public synchronized int available() throws IOException {
        requireOpen();
        return stream.available();
    }

    @Override
    public synchronized void unbuffer() {
        counters.incrementCounter(StreamStatisticNames.STREAM_READ_UNBUFFERED);
        stream.unbuffer();
    }

    @Override
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.READBYTEBUFFER,
                    StreamCapabilities.PREADBYTEBUFFER,
                    StreamCapabilities.UNBUFFER,
                    StreamCapabilities.VECTOREDIO,
                    StreamCapabilities.VECTOREDIO_BUFFERS_SLICED,
                    StreamCapabilities.IOSTATISTICS -> true;
            default -> false;
        };
    }

    @Override
    public synchronized void close() {
        closed = true;
        stream.close();
    }

    private int counted(int bytes) {
        counters.incrementCounter(StreamStatisticNames.STREAM_READ_OPERATIONS);
        if (bytes > 0) {
            statistics.incrementBytesRead(bytes);
            counters.incrementCounter(StreamStatisticNames.STREAM_READ_BYTES, bytes);
        }
        return bytes;
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException(
                    FSExceptionMessages.STREAM_IS_CLOSED + ": " + file.status().path());
        }
    }

    private static void requirePosition(long position) throws EOFException {
        if (position < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + ": " + position);
        }
    }
}

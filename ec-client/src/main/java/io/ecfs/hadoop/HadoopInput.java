package io.ecfs.hadoop;

import io.ecfs.client.read.EcfsInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StreamCapabilities;

/** A file as Hadoop reads it. Positional reads go past the stream's position and may come from several threads. */
final class HadoopInput extends FSInputStream
        implements ByteBufferReadable, ByteBufferPositionedReadable, CanUnbuffer, StreamCapabilities {
    private final EcfsInputStream stream;
    private final FileSystem.Statistics statistics;
    private volatile boolean closed;

    HadoopInput(EcfsInputStream stream, FileSystem.Statistics statistics) {
        this.stream = stream;
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
        return counted(stream.file().read(position, ByteBuffer.wrap(bytes, offset, length)));
    }

    @Override
    public int read(long position, ByteBuffer target) throws IOException {
        requireOpen();
        requirePosition(position);
        return counted(stream.file().read(position, target));
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
        if (position > stream.file().length()) {
            throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF + ": " + position + " of "
                    + stream.file().length());
        }
        stream.seek(position);
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
        stream.unbuffer();
    }

    @Override
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.READBYTEBUFFER, StreamCapabilities.PREADBYTEBUFFER, StreamCapabilities.UNBUFFER ->
                true;
            default -> false;
        };
    }

    @Override
    public synchronized void close() {
        closed = true;
        stream.close();
    }

    private int counted(int bytes) {
        if (bytes > 0) {
            statistics.incrementBytesRead(bytes);
        }
        return bytes;
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED + ": "
                    + stream.file().status().path());
        }
    }

    private static void requirePosition(long position) throws EOFException {
        if (position < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + ": " + position);
        }
    }
}

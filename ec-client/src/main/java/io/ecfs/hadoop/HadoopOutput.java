package io.ecfs.hadoop;

import io.ecfs.client.write.EcfsOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.util.Progressable;

/** A new file as Hadoop writes it. */
final class HadoopOutput extends OutputStream implements Syncable, StreamCapabilities {
    private final EcfsOutputStream stream;
    private final Progressable progress;

    HadoopOutput(EcfsOutputStream stream, Progressable progress) {
        this.stream = stream;
        this.progress = progress;
    }

    @Override
    public synchronized void write(int value) throws IOException {
        stream.write(value);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        stream.write(bytes, offset, length);
        progress.progress();
    }

    @Override
    public synchronized void flush() throws IOException {
        stream.flush();
    }

    @Override
    public synchronized void hflush() throws IOException {
        stream.hflush();
    }

    @Override
    public synchronized void hsync() throws IOException {
        stream.hsync();
    }

    @Override
    @SuppressWarnings("deprecation") // HFLUSH is still asked for
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.HFLUSH, StreamCapabilities.HSYNC -> true;
            default -> false;
        };
    }

    @Override
    public synchronized void close() throws IOException {
        stream.close();
    }
}

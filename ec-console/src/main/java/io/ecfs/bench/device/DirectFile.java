package io.ecfs.bench.device;

import com.sun.nio.file.ExtendedOpenOption;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/** A file that is read and written past the page cache, and has no name. Safe for use by several threads. */
final class DirectFile implements AutoCloseable {
    /** Offsets, sizes and memory are multiples of it. */
    static final int ALIGNED = 4096;

    /** File systems of memory: newer ones take O_DIRECT, but there is no device. */
    private static final List<String> OF_MEMORY = List.of("tmpfs", "ramfs");

    private static final double SPARE = 1.05;

    private final FileChannel channel;

    private DirectFile(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws EcfsException when there is no such directory, no direct access, or less space than {@code bytes} */
    static DirectFile create(Path directory, long bytes) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "no such directory: " + directory);
        }
        FileStore store = Files.getFileStore(directory);
        if (OF_MEMORY.contains(store.type())) {
            throw refused(
                    directory + " is on " + store.type() + ", which is memory: name a directory on a device", null);
        }
        if (store.getUsableSpace() < SPARE * bytes) {
            throw refused(
                    String.format(
                            Locale.ROOT,
                            "%s has %d MiB free, and a file of %d MiB needs a twentieth more than that; nearest is"
                                    + " --size %dm",
                            directory,
                            store.getUsableSpace() >> 20,
                            bytes >> 20,
                            (long) (store.getUsableSpace() / SPARE) >> 20),
                    null);
        }
        Path file = directory.resolve(
                ".ecfs-bench-device-" + ProcessHandle.current().pid());
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    ExtendedOpenOption.DIRECT);
        } catch (IOException | UnsupportedOperationException e) {
            Files.deleteIfExists(file);
            throw refused(
                    directory + " (" + store.type() + ") cannot be read and written past the page cache, "
                            + e.getMessage() + ": name a directory on a file system with O_DIRECT, such as ext4 or xfs",
                    e);
        }
        Files.delete(file);
        return new DirectFile(channel);
    }

    private static EcfsException refused(String message, Exception cause) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, message, cause);
    }

    /** Memory that transfers may use. */
    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes + ALIGNED).alignedSlice(ALIGNED).limit(bytes);
    }

    void read(ByteBuffer into, long offset) throws IOException {
        into.rewind();
        while (into.hasRemaining()) {
            if (channel.read(into, offset + into.position()) < 0) {
                throw new IOException("the file ends before " + (offset + into.limit()));
            }
        }
    }

    void write(ByteBuffer from, long offset) throws IOException {
        from.rewind();
        while (from.hasRemaining()) {
            channel.write(from, offset + from.position());
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

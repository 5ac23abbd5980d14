package io.ecfs.namenode.store.disk;

import io.ecfs.env.real.PrivateFiles;
import io.ecfs.namenode.audit.AuditSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * An audit log in a file with mode 0600 that is rotated by size: {@code audit.log.1} is the newest of the older ones.
 * A write that fails halfway, as on a full disk, is cut off again. A file that was moved away is made anew with the
 * next write. Lines are in the operating system's cache when a write returns: they survive the end of the process, and
 * not all of them a loss of power (HDFS's audit log is the same).
 */
public final class AuditLogFile implements AuditSink {
    private final Path file;
    private final long mostBytes;
    private final int older;
    private FileChannel channel;

    /**
     * @param mostBytes size at which it is rotated
     * @param older number of rotated files that are retained
     * @throws IOException when it cannot be written
     */
    public AuditLogFile(Path file, long mostBytes, int older) throws IOException {
        this.file = file;
        this.mostBytes = mostBytes;
        this.older = older;
        PrivateFiles.createDirectory(file.toAbsolutePath().getParent());
        channel = open();
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                PrivateFiles.fileMode(file));
    }

    @Override
    public void write(String lines) throws IOException {
        if (!Files.exists(file)) {
            channel.close();
            channel = open();
        }
        long before = channel.size();
        if (before >= mostBytes) {
            rotate();
            before = 0;
        }
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(lines);
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            try {
                channel.truncate(before);
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    private void rotate() throws IOException {
        // Without the newest of the older ones an attempt before failed at its last step: they have made room already.
        int last = Files.exists(rotated(1)) ? older - 1 : 0;
        for (int i = last; i >= 1; i--) {
            if (Files.exists(rotated(i))) {
                Files.move(rotated(i), rotated(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(file, rotated(1), StandardCopyOption.REPLACE_EXISTING);
        channel.close();
        channel = open();
    }

    private Path rotated(int number) {
        return rotated(file, number);
    }

    /** Path of the log that was rotated so often. */
    static Path rotated(Path file, int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

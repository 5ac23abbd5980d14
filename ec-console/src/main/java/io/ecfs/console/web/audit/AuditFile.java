package io.ecfs.console.web.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.real.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * One JSON object a line, the latest also in memory. At {@value #MOST_BYTES} bytes the file takes the name {@code ….1},
 * in place of the one before. Safe for use by several threads.
 */
final class AuditFile {
    private static final long MOST_BYTES = 16 << 20;
    private static final int AT_HAND = 500;

    private final Path file;

    @GuardedBy("this")
    private final Deque<ObjectNode> latest = new ArrayDeque<>();

    AuditFile(Path file) {
        this.file = file;
    }

    synchronized void add(ObjectNode line) {
        try {
            if (Files.exists(file) && Files.size(file) > MOST_BYTES) {
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
            try (SeekableByteChannel channel = Files.newByteChannel(
                    file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), PrivateFiles.fileMode(file))) {
                ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the audit log " + file, e);
        }
        latest.addFirst(line);
        if (latest.size() > AT_HAND) {
            latest.removeLast();
        }
    }

    /** Since this process began, newest first. */
    synchronized List<ObjectNode> latest() {
        return new ArrayList<>(latest);
    }
}

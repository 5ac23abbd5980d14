package io.ecfs.namenode.store.disk;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceReply.AuditLines;
import io.ecfs.message.namespace.NamespaceRequest.ListAudit;
import io.ecfs.message.report.AuditForm;
import io.ecfs.message.report.AuditPlace;
import io.ecfs.namenode.audit.AuditSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the files of {@link AuditLogFile} backwards, at most {@value #MOST_BYTES} bytes a page. A place is the identity
 * of a file and an offset, so that a rotation between two pages moves nothing. What another rotation has deleted is
 * left out. Safe for use by several threads, beside the writer.
 */
public final class AuditLogReader implements AuditSource {
    /** Bytes of a page; more than the longest line has. */
    private static final int MOST_BYTES = 4 << 20;

    private static final int ATTEMPTS = 5;

    private final Path file;
    private final int older;

    /** @param older number of rotated files */
    public AuditLogReader(Path file, int older) {
        this.file = file;
        this.older = older;
    }

    @Override
    public AuditLines page(ListAudit request) throws EcfsException {
        try {
            for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
                Optional<AuditLines> page = new Page(request).read();
                if (page.isPresent()) {
                    return page.get();
                }
            }
            return new Page(request)
                    .read()
                    .orElseThrow(() -> new EcfsException(
                            ErrorCode.BUSY, "the audit log " + file + " is rotated faster than it can be read"));
        } catch (EcfsException e) {
            throw e;
        } catch (IOException e) {
            throw new EcfsException(ErrorCode.INTERNAL, "the audit log " + file + " cannot be read: " + e, e);
        }
    }

    private Path numbered(int number) {
        return number == 0 ? file : AuditLogFile.rotated(file, number);
    }

    /** Of the inode, which another file may get once this one is deleted, and the time in its first line. */
    private static long identity(Path path) throws IOException {
        long inode = ((Number) Files.getAttribute(path, "unix:ino")).longValue();
        try (InputStream begin = Files.newInputStream(path)) {
            String first = new String(begin.readNBytes(AuditForm.TIME_CHARACTERS), StandardCharsets.UTF_8);
            return (31 * inode + first.lines().findFirst().hashCode()) & Long.MAX_VALUE;
        }
    }

    /** The number of the file with an identity; empty when it is gone. */
    private Optional<Integer> find(long identity) throws IOException {
        for (int number = 0; number <= older; number++) {
            if (has(numbered(number), identity)) {
                return Optional.of(number);
            }
        }
        return Optional.empty();
    }

    /** False between two steps of a rotation, too. */
    private static boolean has(Path path, long identity) throws IOException {
        try {
            return identity(path) == identity;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** One page in the making. */
    private final class Page {
        private final ListAudit request;
        private final String wanted;
        private final List<AuditLines.Line> lines = new ArrayList<>();
        private int budget = MOST_BYTES;
        private final Set<Long> seen = new HashSet<>();
        private String reached = "";
        private boolean rotated;

        Page(ListAudit request) {
            this.request = request;
            this.wanted = request.containing().toLowerCase(Locale.ROOT);
        }

        /** Empty when a rotation came between. */
        Optional<AuditLines> read() throws IOException {
            Optional<Integer> first =
                    request.before().isPresent() ? find(request.before().get().file()) : Optional.of(0);
            Optional<AuditPlace> rest = Optional.empty();
            for (int number = first.orElse(older + 1); number <= older && rest.isEmpty() && !rotated; number++) {
                rest = file(numbered(number));
            }
            return rotated ? Optional.empty() : Optional.of(new AuditLines(lines, rest, reached));
        }

        /** Reads one file back to its begin; returns where the page ended, if in it. */
        private Optional<AuditPlace> file(Path path) throws IOException {
            try {
                return file(path, identity(path));
            } catch (NoSuchFileException e) {
                return Optional.empty(); // not rotated that often yet
            }
        }

        private Optional<AuditPlace> file(Path path, long identity) throws IOException {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                boolean begins = seen.isEmpty() && request.before().isPresent();
                rotated = !seen.add(identity)
                        || (begins && request.before().get().file() != identity)
                        || identity(path) != identity;
                long to = begins ? Math.min(request.before().get().offset(), channel.size()) : channel.size();
                if (!rotated && to > 0 && budget > 0 && lines.size() < request.limit()) {
                    long from = Math.max(0, to - budget);
                    byte[] bytes = bytes(channel, from, to);
                    budget -= bytes.length;
                    to = block(identity, from, bytes);
                }
                return to > 0 ? Optional.of(new AuditPlace(identity, to)) : Optional.empty();
            }
        }

        private byte[] bytes(FileChannel channel, long from, long to) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate((int) (to - from));
            int count = 0;
            while (bytes.hasRemaining() && count >= 0) {
                count = channel.read(bytes, from + bytes.position());
            }
            byte[] read = new byte[bytes.position()];
            bytes.flip().get(read);
            return read;
        }

        /**
         * Takes the whole lines of a block from its end; a last line without newline is still being written.
         *
         * @return where the last line ends that was not taken
         */
        private long block(long identity, long from, byte[] bytes) {
            int end = before(bytes, bytes.length);
            while (end > 0 && lines.size() < request.limit()) {
                int start = before(bytes, end - 1);
                if (start == 0 && from > 0) {
                    break; // its begin is in the block before
                }
                String line = new String(bytes, start, end - 1 - start, StandardCharsets.UTF_8);
                reached = AuditForm.time(line);
                if (wanted.isEmpty() || line.toLowerCase(Locale.ROOT).contains(wanted)) {
                    lines.add(new AuditLines.Line(new AuditPlace(identity, from + start), line));
                }
                end = start;
            }
            return from + end;
        }

        /** Index behind the last newline in [0, end); 0 for none. */
        private int before(byte[] bytes, int end) {
            for (int i = end - 1; i >= 0; i--) {
                if (bytes[i] == '\n') {
                    return i + 1;
                }
            }
            return 0;
        }
    }
}

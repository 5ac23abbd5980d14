package io.ecfs.namenode.audit;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of a namenode's audit log.
 *
 * @param target where lines go
 * @param file of {@link Target#FILE}; {@code audit.log} in the namenode's directory when empty
 * @param fileBytes size at which the file is rotated
 * @param files rotated files that are retained, {@code audit.log.1} the newest
 * @param queue most lines that wait to be written: when it is full, changes are refused with {@code BUSY}
 * @param reads whether allowed reads are recorded too; denied ones always are
 */
public record AuditSettings(Target target, Optional<Path> file, long fileBytes, int files, int queue, boolean reads) {
    /** Destination of the lines. */
    public enum Target {
        /** A file that rotates itself, and whose write errors are noticed. */
        FILE,
        /** The logger {@code io.ecfs.audit}: what logback does with a line, and when its disk is full, is not known. */
        LOGGER,
        /** Nowhere. */
        NONE
    }

    public AuditSettings {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(file, "file");
        if (fileBytes < 1 || files < 1 || queue < 2) {
            throw new IllegalArgumentException("an audit log needs fileBytes and files of at least 1, and a queue of at"
                    + " least 2, got " + fileBytes + ", " + files + " and " + queue);
        }
    }

    public static AuditSettings defaults() {
        return new AuditSettings(Target.FILE, Optional.empty(), 256L << 20, 9, 10_000, false);
    }
}

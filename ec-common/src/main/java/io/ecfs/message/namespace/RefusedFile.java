package io.ecfs.message.namespace;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import java.util.Objects;

/** A file that could not be committed with others, and why. */
public record RefusedFile(InodeId file, ErrorCode code, String reason) {
    public RefusedFile {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(reason, "reason");
    }
}

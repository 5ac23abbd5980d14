package io.ecfs.client.read.batch;

import io.ecfs.message.FilePath;
import java.util.Objects;

/**
 * Bytes [from, to) that are wanted of a file; those behind its end are not there, which is no error.
 *
 * @param to {@link #TO_THE_END} for all there are
 */
public record FileRange(FilePath path, long from, long to) {
    public static final long TO_THE_END = Long.MAX_VALUE;

    public FileRange {
        Objects.requireNonNull(path, "path");
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("range [" + from + ", " + to + ") of " + path);
        }
    }

    public static FileRange whole(FilePath path) {
        return new FileRange(path, 0, TO_THE_END);
    }
}

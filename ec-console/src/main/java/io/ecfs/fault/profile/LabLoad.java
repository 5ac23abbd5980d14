package io.ecfs.fault.profile;

import java.util.Objects;

/**
 * What is on the cluster when faults begin, and what is done meanwhile.
 *
 * @param files written before
 * @param bytes of each
 * @param during what clients do while faults last; each read is compared
 * @param threads of clients
 * @param cold whether the machine's page cache is emptied before the faults; needs root
 */
public record LabLoad(int files, long bytes, During during, int threads, boolean cold) {
    private static final int MOST_FILES = 1_000_000;
    private static final long MOST_BYTES = 1L << 40;
    /** Of clients. */
    public static final int MOST_THREADS = 64;

    private static final int USUAL_FILES = 64;
    private static final long USUAL_BYTES = 4L << 20;
    private static final int USUAL_THREADS = 4;

    /** Requests while faults last. */
    public enum During {
        NONE,
        READ,
        WRITE,
        MIXED;

        /** Whether bytes are acknowledged meanwhile, which must survive one more loss. */
        public boolean writes() {
            return this == WRITE || this == MIXED;
        }

        public boolean reads() {
            return this == READ || this == MIXED;
        }
    }

    public LabLoad {
        Objects.requireNonNull(during, "during");
        requireRange("files", files, 1, MOST_FILES);
        requireRange("bytes", bytes, 1, MOST_BYTES);
        requireRange("threads", threads, 1, MOST_THREADS);
    }

    public static LabLoad defaults() {
        return new LabLoad(USUAL_FILES, USUAL_BYTES, During.NONE, USUAL_THREADS, false);
    }

    /** User bytes of all files. */
    public long totalBytes() {
        return Math.multiplyExact(files, bytes);
    }

    private static void requireRange(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(key + " must be from " + least + " to " + most + ", got " + value
                    + "; nearest valid is " + Math.max(least, Math.min(most, value)));
        }
    }
}

package io.ecfs.bench.bed.erails;

/** When volumes write. */
public enum Windows {
    /** Whenever there is something to write: no roles. */
    NONE,
    /** As long as the ring's writers say. */
    FIXED,
    /** The same, with as few writers as the demand needs. */
    CHOSEN,
    /** Until nothing is staged any more, within windows of so few writers. */
    RETURNING;

    boolean separated() {
        return this != NONE;
    }

    boolean adaptive() {
        return this == CHOSEN || this == RETURNING;
    }
}

package io.ecfs.env;

/** Something that was scheduled and may be called off. */
public interface Cancellable {
    /**
     * Calls it off. A run that has begun goes on to its end; a repeated task is not run again.
     *
     * @return true when a run that was still to come was prevented; false when it was over, running for the last time,
     *     or cancelled before
     */
    boolean cancel();
}

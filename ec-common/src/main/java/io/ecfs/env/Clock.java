package io.ecfs.env;

/** The two clocks of a machine. */
public interface Clock {
    /** Monotonic nanoseconds from an arbitrary origin: for durations and deadlines; only differences mean anything. */
    long nanos();

    /** Milliseconds since the epoch: for people and other machines; may jump. */
    long epochMillis();
}

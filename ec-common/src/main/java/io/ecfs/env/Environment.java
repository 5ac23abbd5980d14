package io.ecfs.env;

import java.util.Objects;

/** All ports together, as they are handed down from {@code main} or from the simulation. */
public record Environment(Clock clock, Randomness randomness, Threads threads) {
    public Environment {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(randomness, "randomness");
        Objects.requireNonNull(threads, "threads");
    }
}

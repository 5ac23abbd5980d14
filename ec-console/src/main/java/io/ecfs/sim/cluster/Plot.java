package io.ecfs.sim.cluster;

/** What happens in a simulated world instead of trouble at any time: somebody is killed at a moment of something. */
public sealed interface Plot permits CrashScenario, RelayScenario, RewriteScenario, RingScenario, UpdateScenario {
    /** A seed of its own, the same in every run. */
    long seed();

    /** The world in which it happens. */
    SimSettings settings(long seed);
}

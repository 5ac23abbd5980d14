package io.ecfs.sim.offence;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;

/** Draws what no seed repeats. */
public final class DrawsWithoutASeed {
    static Random random() {
        return new Random();
    }

    static SplittableRandom splittable() {
        return new SplittableRandom();
    }

    static UUID uuid() {
        return UUID.randomUUID();
    }
}

package io.ecfs.torture.load;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Paths that all threads share. A ground is a directory with a few names; every while all threads move on to new
 * grounds, so that each ground's history is short enough to be checked, and what a ground's last calls left is read at
 * the end.
 */
record PlayGround(String base) {
    static final String ROOT = "/torture";

    /** Time that threads work on the same paths. */
    static final Duration WHILE = Duration.ofSeconds(10);

    private static final int GROUNDS_AT_ONCE = 2;
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "d/x", "d/y");

    /** One of those that are in use so long after the beginning. */
    static PlayGround at(long nanosSinceBegin, SplittableRandom random) {
        return new PlayGround(ROOT + "/" + nanosSinceBegin / WHILE.toNanos() + "-" + random.nextInt(GROUNDS_AT_ONCE));
    }

    /** Any of its names, of a file or directory or of nothing. */
    String any(SplittableRandom random) {
        return base + "/" + NAMES.get(random.nextInt(NAMES.size()));
    }

    /** Another one than {@code path}, not below and not above it. */
    String other(String path, SplittableRandom random) {
        while (true) {
            String other = any(random);
            if (!other.startsWith(path) && !path.startsWith(other)) {
                return other;
            }
        }
    }

    /** The one that is most often a directory. */
    String directory() {
        return base + "/d";
    }
}

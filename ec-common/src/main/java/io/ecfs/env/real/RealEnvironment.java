package io.ecfs.env.real;

import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Randomness;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import io.ecfs.env.Workers;
import java.security.SecureRandom;

/**
 * Opens the real environment. It owns nothing itself: schedulers and workers belong to the callers that requested them.
 */
public final class RealEnvironment {
    private RealEnvironment() {}

    public static Environment open() {
        return new Environment(new SystemClock(), Randomness.over(new SecureRandom()), new SystemThreads());
    }

    private static final class SystemClock implements Clock {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long epochMillis() {
            return System.currentTimeMillis();
        }
    }

    private static final class SystemThreads implements Threads {
        @Override
        public Scheduler scheduler(String name) {
            return new ThreadScheduler(name);
        }

        @Override
        public Workers workers(String name, int threads, int queueBound) {
            return new ThreadWorkers(name, threads, queueBound);
        }
    }
}

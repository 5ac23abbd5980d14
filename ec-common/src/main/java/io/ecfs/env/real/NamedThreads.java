package io.ecfs.env.real;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Daemon threads {@code name-0}, {@code name-1} …; an uncaught exception of one of them is logged as an error. */
final class NamedThreads implements ThreadFactory {
    private static final Logger LOG = LoggerFactory.getLogger(NamedThreads.class);

    private final String name;
    private final boolean single;
    private final AtomicInteger made = new AtomicInteger();

    private NamedThreads(String name, boolean single) {
        this.name = name;
        this.single = single;
    }

    static NamedThreads one(String name) {
        return new NamedThreads(name, true);
    }

    static NamedThreads several(String name) {
        return new NamedThreads(name, false);
    }

    @Override
    public Thread newThread(Runnable run) {
        int number = made.getAndIncrement();
        Thread thread = new Thread(run, single && number == 0 ? name : name + "-" + number);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(
                (t, e) -> LOG.error("event=thread_died thread={} error={}", t.getName(), e.toString(), e));
        return thread;
    }
}

package io.ecfs.bench.system;

import java.util.concurrent.CountDownLatch;

/**
 * Ends the start of a cluster when the process is terminated meanwhile: the thread that starts it is interrupted, and
 * the process does not end before that thread has stopped and removed what it began.
 */
final class StartGuard {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;

    private StartGuard(Thread starter) {
        hook = new Thread(
                () -> {
                    starter.interrupt();
                    awaitEnd();
                },
                "bench-start-cleanup");
    }

    /** Guards what the calling thread starts from now on. */
    static StartGuard begin() {
        StartGuard guard = new StartGuard(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(guard.hook);
        return guard;
    }

    private void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The start has succeeded, or what it began is gone. */
    void over() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException terminated) {
            return; // the hook has just been told that the start is over
        }
    }
}

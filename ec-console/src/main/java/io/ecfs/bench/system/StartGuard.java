package io.ecfs.bench.system;

import java.util.concurrent.CountDownLatch;

/**
 * Ends the start of a cluster when the process is terminated meanwhile: the thread that starts it is interrupted, and
 * the process does not end before that thread has stopped and removed what it began.
 */
final class StartGuard implements AutoCloseable {
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook;

    private StartGuard(Thread starter) {
        hook = new Thread(
                () -> {
                    starter.interrupt();
                    awaitOver();
                },
                "bench-start-cleanup");
    }

    /** Guards what the calling thread starts from now on. */
    static StartGuard begin() {
        StartGuard guard = new StartGuard(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(guard.hook);
        return guard;
    }

    private void awaitOver() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException terminated) {
            return; // the hook has just been told that the start is over
        }
    }
}

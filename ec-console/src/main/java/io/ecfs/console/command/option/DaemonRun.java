package io.ecfs.console.command.option;

import java.io.PrintWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Keeps this process running with what it serves until it is asked to stop, and stops that in order then. */
public final class DaemonRun {
    private DaemonRun() {}

    /**
     * @param ready the line that says that it serves
     * @param failed completes when it cannot go on; this process then ends with that failure
     */
    public static int untilStopped(PrintWriter out, String ready, Runnable stop, CompletableFuture<Integer> failed)
            throws InterruptedException, ExecutionException {
        Runtime.getRuntime().addShutdownHook(new Thread(stop, "stop"));
        out.println(ready);
        out.flush();
        return failed.get();
    }
}

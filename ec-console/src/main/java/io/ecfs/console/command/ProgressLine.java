package io.ecfs.console.command;

import io.ecfs.console.local.Readiness;
import java.io.PrintWriter;

/** A bar on one line that is written over, when a person watches; nothing otherwise. */
final class ProgressLine implements Readiness.Progress {
    /** Set by the launcher when standard error is a terminal: the JVM itself cannot tell before release 22. */
    private static final String TERMINAL = "ecfs.terminal";

    private static final int WIDTH = 24;

    private final PrintWriter err;
    private final boolean watched = Boolean.getBoolean(TERMINAL);

    ProgressLine(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void at(int ready, int of, String waitingFor) {
        if (!watched) {
            return;
        }
        int filled = of == 0 ? 0 : WIDTH * ready / of;
        String bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
        String text = waitingFor.isEmpty()
                ? ""
                : "starting [" + bar + "] " + ready + "/" + of + " datanodes, waiting for " + waitingFor;
        err.print("\r\033[K" + text);
        err.flush();
    }
}

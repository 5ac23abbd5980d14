package io.ecfs.console.command.option;

import io.ecfs.console.local.Readiness;
import java.io.PrintWriter;
import java.util.Locale;

/** A bar on one line that is written over, when a person watches; nothing otherwise. */
public final class ProgressLine implements Readiness.Progress {
    /** Set by the launcher when standard error is a terminal: the JVM itself cannot tell before release 22. */
    private static final String TERMINAL = "ecfs.terminal";

    private static final int WIDTH = 24;

    private final PrintWriter err;
    private final boolean watched = Boolean.getBoolean(TERMINAL);

    public ProgressLine(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void at(int ready, int of, String waitingFor) {
        show(
                waitingFor.isEmpty()
                        ? ""
                        : "starting " + bar(of == 0 ? 0 : ready / (double) of) + " " + ready + "/" + of
                                + " datanodes, waiting for " + waitingFor);
    }

    /** Progress of a bench. */
    public void bench(double share, String doing) {
        show(String.format(Locale.ROOT, "bench %s %3.0f %%  %s", bar(share), 100 * share, doing));
    }

    /** Present step of a soak. */
    public void soak(String doing) {
        show("soak: " + doing);
    }

    /** Present step of a torture. */
    public void torture(String doing) {
        show("torture: " + doing);
    }

    /** Present step of a fault experiment. */
    public void fault(String doing) {
        show("fault: " + doing);
    }

    /** Leaves an empty line for what comes. */
    public void clear() {
        show("");
    }

    private void show(String text) {
        if (watched) {
            err.print("\r\033[K" + text);
            err.flush();
        }
    }

    private static String bar(double share) {
        int filled = (int) (WIDTH * share);
        return "[" + "#".repeat(filled) + "-".repeat(WIDTH - filled) + "]";
    }
}

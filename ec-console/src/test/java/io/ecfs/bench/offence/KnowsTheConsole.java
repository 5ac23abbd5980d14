package io.ecfs.bench.offence;

/** Uses the command line and the web console, which start benches and are not known to them. */
public final class KnowsTheConsole {
    static Class<?> command() {
        return io.ecfs.console.command.EcfsCommand.class;
    }

    static Class<?> web() {
        return io.ecfs.console.web.WebConsole.class;
    }
}

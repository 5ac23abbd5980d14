package io.ecfs.webhdfs.offence;

/** Uses the command line, which starts WebHDFS and is not known to it. */
public final class KnowsTheConsole {
    static Class<?> command() {
        return io.ecfs.console.command.EcfsCommand.class;
    }
}

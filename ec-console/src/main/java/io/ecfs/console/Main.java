package io.ecfs.console;

import io.ecfs.console.command.EcfsCommand;

/** Entry point of the {@code ecfs} process. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(EcfsCommand.commandLine().execute(args));
    }
}

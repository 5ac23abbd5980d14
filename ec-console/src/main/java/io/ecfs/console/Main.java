package io.ecfs.console;

import io.ecfs.console.command.EcfsCommand;

/** Where the {@code ecfs} process starts. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(EcfsCommand.commandLine().execute(args));
    }
}

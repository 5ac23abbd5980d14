package io.ecfs.console;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code ecfs} command. Exit codes: 0 done, 1 failed, 2 wrong usage. */
@Command(
        name = "ecfs",
        description = "A distributed file system whose every file is erasure coded.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        footer = {
            "",
            "The launcher itself answers to:",
            "  ecfs test [PATTERN]  format, warnings, architecture and all tests (or those that match)",
            "  ecfs format          format the sources",
            "  ecfs clean           remove what the build made"
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command? See ecfs --help.");
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}

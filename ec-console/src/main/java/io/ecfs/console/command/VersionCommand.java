package io.ecfs.console.command;

import io.ecfs.code.Kernels;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Build, JDK, and which codec kernel runs. */
@Command(
        name = "version",
        description = "Build, JDK, and which codec kernel runs: ISA-L with its instruction set, or Java.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  ecfs version"})
final class VersionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        for (String line : new BuildVersion().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        spec.commandLine().getOut().println("codec " + Kernels.best().description());
        return 0;
    }
}

package io.ecfs.console.command.fault;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Experiments with faults, after ECFault (Han et al., HotStorage 2024). */
@Command(
        name = "fault",
        description = {
            "Experiments with faults on clusters of their own, after ECFault (Han et al., HotStorage 2024): what a"
                    + " configuration survives, and how long its recovery takes.",
            "A profile says which cluster, which load, which faults and whom they hurt: docs/ecfault.md."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            FaultValidateCommand.class,
            FaultRunCommand.class,
            FaultSweepCommand.class,
            FaultPaperCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  ecfs fault validate kill.yaml",
            "  ecfs fault run kill.yaml --out results",
            "  ecfs fault run kill.yaml --sim",
            "  ecfs fault sweep settings.yaml",
            "  ecfs fault paper 2c 3 t3 --quick"
        })
public final class FaultCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Which of validate, run, sweep and paper? See ecfs fault --help.");
    }
}

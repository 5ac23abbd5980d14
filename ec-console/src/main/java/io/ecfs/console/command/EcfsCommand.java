package io.ecfs.console.command;

import io.ecfs.console.command.admin.AdminCommand;
import io.ecfs.console.command.bench.BenchCommand;
import io.ecfs.console.command.bench.SoakCommand;
import io.ecfs.console.command.daemon.ConsoleCommand;
import io.ecfs.console.command.daemon.DatanodeCommand;
import io.ecfs.console.command.daemon.DownCommand;
import io.ecfs.console.command.daemon.NamenodeCommand;
import io.ecfs.console.command.daemon.UpCommand;
import io.ecfs.console.command.daemon.WebHdfsCommand;
import io.ecfs.console.command.fault.FaultCommand;
import io.ecfs.console.command.torture.TortureClientCommand;
import io.ecfs.console.command.torture.TortureCommand;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of the command line. */
@Command(
        name = "ecfs",
        description = "A distributed file system in which every file is erasure coded.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        subcommands = {
            UpCommand.class,
            DownCommand.class,
            FsCommand.class,
            FindCommand.class,
            EcCommand.class,
            RingCommand.class,
            AdminCommand.class,
            BenchCommand.class,
            SoakCommand.class,
            ModelCommand.class,
            AdviseCommand.class,
            FaultCommand.class,
            TortureCommand.class,
            TortureClientCommand.class,
            ConsoleCommand.class,
            WebHdfsCommand.class,
            NamenodeCommand.class,
            DatanodeCommand.class,
            VersionCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  ecfs up --detach                  a cluster of 3 namenodes and 10 datanodes on this machine",
            "  ecfs fs -put report.csv /data/    store a file",
            "  ecfs admin report                 is all well?",
            "  ecfs bench --quick all            how fast is it, and what does it cost?",
            "  ecfs down                         stop it; the data stays"
        })
public final class EcfsCommand implements Runnable {
    /** System property that the launcher of a clone sets: its own commands need the sources. */
    private static final String OF_SOURCES = "ecfs.sources";

    private static final List<String> COMMANDS_OF_SOURCES = List.of(
            "",
            "The launcher of a clone itself answers to:",
            "  ecfs test [--all] [PATTERN]       format, warnings, architecture and all tests (or those that match)",
            "  ecfs mutants [PACKAGE...]         mutation testing of packages; --simulation: of the simulation",
            "  ecfs jmh [PATTERN]                microbenchmarks",
            "  ecfs asan                         the native kernels under AddressSanitizer",
            "  ecfs format                       format the sources",
            "  ecfs clean                        remove what the build made",
            "  ecfs dist                         make the release archive");

    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show the stack trace of a failure.")
    private boolean debug;

    /** The command line, ready to execute. */
    public static CommandLine commandLine() {
        EcfsCommand root = new EcfsCommand();
        CommandLine line = new CommandLine(root);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        if (Boolean.getBoolean(OF_SOURCES)) {
            UsageMessageSpec usage = line.getCommandSpec().usageMessage();
            usage.footer(Stream.concat(Stream.of(usage.footer()), COMMANDS_OF_SOURCES.stream())
                    .toArray(String[]::new));
        }
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("ecfs: " + CommandFailures.oneLine(failure));
            if (root.debug) {
                failure.printStackTrace(command.getErr());
            }
            command.getErr().flush();
            return CommandFailures.exitCode(failure);
        });
        line.setParameterExceptionHandler((failure, arguments) -> {
            CommandLine command = failure.getCommandLine();
            command.getErr().println("ecfs: " + CommandFailures.oneLine(failure));
            command.getErr().flush();
            return command.getCommandSpec().exitCodeOnInvalidInput();
        });
        // FsShell's options, such as -put or -ls -R, are its own: after the first word that is not ours, nothing is.
        line.getSubcommands().get("fs").setStopAtUnmatched(true);
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command? See ecfs --help.");
    }
}

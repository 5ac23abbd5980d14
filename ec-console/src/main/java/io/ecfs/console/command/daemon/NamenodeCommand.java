package io.ecfs.console.command.daemon;

import io.ecfs.config.ConfigReader;
import io.ecfs.console.command.option.DaemonOptions;
import io.ecfs.console.command.option.DaemonRun;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.namenode.daemon.NamenodeConfig;
import io.ecfs.namenode.daemon.NamenodeDaemon;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** One namenode, for a real machine. */
@Command(
        name = "namenode",
        description = "Run one namenode in the foreground (docs/deploy.md shows three with systemd).",
        subcommands = {NamenodeFormatCommand.class, NamenodeBackupCommand.class, NamenodeRestoreCommand.class},
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs namenode format --config /etc/ecfs/nn0.yaml    (once, on one namenode of a new cluster)",
            "  ecfs namenode --config /etc/ecfs/nn0.yaml",
            "  ecfs namenode backup --config /etc/ecfs/nn0.yaml /backups/2026-11-23",
            "  ecfs namenode restore --config /etc/ecfs/nn0.yaml /backups/2026-11-23",
            "  ecfs namenode --config nn0.yaml -D settings.safeModeDatanodes=6"
        })
public final class NamenodeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Not for subcommands, which have their own. */
    @ArgGroup(exclusive = false)
    private DaemonOptions options;

    @Override
    public Integer call() throws Exception {
        if (options == null) {
            throw new ParameterException(spec.commandLine(), "Missing required option: '--config=FILE'");
        }
        NamenodeConfig config = ConfigReader.read(NamenodeConfig.class, options.file(), options.overrides());
        CompletableFuture<Integer> failed = new CompletableFuture<>();
        NamenodeDaemon daemon = NamenodeDaemon.start(RealEnvironment.open(), config, failed::completeExceptionally);
        return DaemonRun.untilStopped(
                spec.commandLine().getOut(),
                "ready namenode " + config.id() + " " + daemon.address(),
                daemon::close,
                failed);
    }
}

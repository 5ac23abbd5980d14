package io.ecfs.console.command;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.namenode.daemon.Backup;
import io.ecfs.namenode.daemon.NamenodeConfig;
import io.ecfs.namenode.store.disk.BackupManifest;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes a backup of the namenodes' state. */
@Command(
        name = "backup",
        description = {
            "Take a backup of the state of running namenodes: names, groups and where their chunks are, and keys.",
            "It holds all that was acknowledged before the command began. Data of files is not in it: that is on"
                    + " datanodes.",
            "Runs wherever the configuration is and the namenodes can be reached; they go on serving."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:",
            "  ecfs namenode backup --config /etc/ecfs/nn0.yaml /backups/$(date +%F)",
        })
final class NamenodeBackupCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private DaemonOptions options;

    @Option(
            names = "--from",
            paramLabel = "ID",
            description =
                    "Take what this namenode has, and do not ask the others: for when a majority does not answer.")
    private String from;

    @Parameters(paramLabel = "DIRECTORY", description = "Where to write it: not there yet, or empty.")
    private Path place;

    @Override
    public Integer call() throws Exception {
        NamenodeConfig config = ConfigReader.read(NamenodeConfig.class, options.file(), options.overrides());
        BackupManifest backup = Backup.take(RealEnvironment.open(), config, Optional.ofNullable(from), place);
        spec.commandLine()
                .getOut()
                .println("backup of cluster " + backup.log().clusterId() + " in " + place + ": up to log entry "
                        + backup.position().index() + " of namenode " + backup.namenode() + ", "
                        + backup.files().size() + " files, " + backup.bytes() + " bytes, read back and compared");
        return 0;
    }
}

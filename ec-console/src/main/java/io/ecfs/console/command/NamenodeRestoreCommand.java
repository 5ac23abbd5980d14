package io.ecfs.console.command;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.daemon.NamenodeConfig;
import io.ecfs.namenode.daemon.Restore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Restores a backup of the namenodes' state. */
@Command(
        name = "restore",
        description = {
            "Restore a backup into the empty directory of one namenode, with all namenodes stopped.",
            "All that came after the backup is lost. Only for a cluster whose namenodes have all lost their state: a"
                    + " single",
            "namenode whose disk was lost is started with an empty directory, and gets the state from the others.",
            "The other namenodes are started with empty directories afterwards, and join."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  ecfs namenode restore --config /etc/ecfs/nn0.yaml /backups/2026-11-23"})
final class NamenodeRestoreCommand implements Callable<Integer> {
    private static final int OPEN_FILES_SHOWN = 1000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private DaemonOptions options;

    @Parameters(paramLabel = "DIRECTORY", description = "What 'ecfs namenode backup' wrote.")
    private Path backup;

    @Override
    public Integer call() throws Exception {
        NamenodeConfig config = ConfigReader.read(NamenodeConfig.class, options.file(), options.overrides());
        Restore.Restored restored = Restore.restore(RealEnvironment.open(), config, backup);
        PrintWriter out = spec.commandLine().getOut();
        out.println("restored cluster " + restored.log().clusterId() + " as of "
                + Instant.ofEpochMilli(restored.backup().takenMillis()) + " (log entry "
                + restored.backup().position().index() + ") into " + config.directory() + ": " + restored.files()
                + " files, " + restored.groups() + " groups; new groups are of epoch " + restored.epoch());
        if (!restored.open().isEmpty()) {
            out.println(
                    restored.open().size() + " files were being written when the backup was taken: they will end where"
                            + " their chunks end now, compare them with what was written");
            restored.open().stream()
                    .limit(OPEN_FILES_SHOWN)
                    .map(FilePath::text)
                    .forEach(path -> out.println("  " + path));
            if (restored.open().size() > OPEN_FILES_SHOWN) {
                out.println("  and " + (restored.open().size() - OPEN_FILES_SHOWN) + " more");
            }
        }
        out.println(
                "now start this namenode, and the others with empty directories; then 'ecfs admin fsck --orphans' lists"
                        + " files that lack chunks, and chunks of files that the backup does not know");
        return 0;
    }
}

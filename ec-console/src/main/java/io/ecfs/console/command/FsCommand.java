package io.ecfs.console.command;

import io.ecfs.console.command.option.ClientOption;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.hadoop.EcfsFileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Hadoop's own file system shell over our connector, so that what people know keeps working. */
@Command(
        name = "fs",
        description =
                "Hadoop's file system shell: -put, -get, -ls, -cat, -mkdir, -rm, -mv, -stat, -du, -df, -checksum ...",
        mixinStandardHelpOptions = false,
        footer = {
            "",
            "Examples:",
            "  ecfs fs -mkdir -p /data",
            "  ecfs fs -put ./photos /data/",
            "  ecfs fs -ls -R /data",
            "  ecfs fs -get /data/photos ./copy",
            "  ecfs fs -help put                 Hadoop's own help on a command"
        })
final class FsCommand implements Callable<Integer> {

    /** {@code -D} of the shell may set another. */
    private static final String DEADLINE = EcfsFileSystem.CLIENT_SETTINGS + "namenodeDeadline";

    @Mixin
    private ClusterOption cluster;

    /** -h would be one of the shell's own options, so there is only the long form; picocli reads it. */
    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    @Unmatched
    private List<String> shellArguments = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(DEADLINE, ClusterOption.PATIENCE);
        cluster.client().settings().forEach(setting -> set(configuration, EcfsFileSystem.CLIENT_SETTINGS, setting));
        for (String change : cluster.changes()) {
            ClientOption.ofClient(change)
                    .ifPresentOrElse(
                            setting -> set(configuration, EcfsFileSystem.CLIENT_SETTINGS, setting),
                            () -> set(configuration, "", change)); // Hadoop's own
        }
        if (needsCluster()) {
            configuration.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, cluster.uri());
        }
        FsShell shell = new FsShell(configuration);
        try {
            int code = ToolRunner.run(configuration, shell, shellArguments.toArray(String[]::new));
            return code < 0 ? ExitCode.USAGE : code;
        } finally {
            shell.close();
        }
    }

    private static void set(Configuration configuration, String prefix, String setting) {
        int equals = setting.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException("-D takes key=value, got '" + setting + "'");
        }
        configuration.set(prefix + setting.substring(0, equals), setting.substring(equals + 1));
    }

    /** Help needs none, and Hadoop's own {@code -fs URI} names one. */
    private boolean needsCluster() {
        return !shellArguments.isEmpty()
                && !shellArguments.get(0).equals("-fs")
                && !shellArguments.get(0).equals("-help")
                && !shellArguments.get(0).equals("-usage");
    }
}

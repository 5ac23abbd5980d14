package io.ecfs.console.command.daemon;

import io.ecfs.console.local.LastUp;
import io.ecfs.console.local.LocalCluster;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Stops what {@code ecfs up} started; the data stays. */
@Command(
        name = "down",
        description = "Stop a cluster that 'ecfs up' started on this machine; its data stays for the next 'up'.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  ecfs down", "  ecfs down --dir /data/ecfs"})
public final class DownCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "The cluster's directory; otherwise that of the last 'up' here.")
    private Path directory;

    @Override
    public Integer call() throws Exception {
        Path at = directory == null ? LastUp.directory() : directory;
        int stopped = LocalCluster.stop(at);
        spec.commandLine()
                .getOut()
                .println(
                        stopped == 0
                                ? "nothing runs in " + at
                                : "stopped " + stopped + (stopped == 1 ? " process" : " processes"));
        return 0;
    }
}

package io.ecfs.console.command;

import io.ecfs.code.Kernels;
import io.ecfs.config.ConfigReader;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.wire.WireLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One datanode, for a real machine. */
@Command(
        name = "datanode",
        description = "Run one datanode in the foreground (docs/deploy.md shows it with systemd).",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs datanode --config /etc/ecfs/dn0.yaml",
            "  ecfs datanode --config dn0.yaml -D rack=/rack7",
            "  ecfs datanode --config dn0.yaml --format-new-volumes    once, after a drive was replaced"
        })
final class DatanodeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private DaemonOptions options;

    @Option(
            names = "--format-new-volumes",
            description =
                    "Make a new volume of an empty directory also where a known volume belongs: its drive was replaced,"
                            + " and is not merely unmounted.")
    private boolean formatNewVolumes;

    @Override
    public Integer call() throws Exception {
        List<String> overrides = new ArrayList<>(options.overrides());
        if (formatNewVolumes) {
            overrides.add("store.formatNewVolumes=true");
        }
        DatanodeConfig config = ConfigReader.read(DatanodeConfig.class, options.file(), overrides);
        WireLoops loops = WireLoops.open("ecfs", Runtime.getRuntime().availableProcessors());
        DatanodeDaemon daemon = DatanodeDaemon.start(config, loops, Kernels.best(), RealEnvironment.open());
        Runnable stop = () -> {
            daemon.close();
            loops.close();
        };
        return DaemonRun.untilStopped(
                spec.commandLine().getOut(),
                "ready datanode " + config.id() + " " + daemon.address(),
                stop,
                new CompletableFuture<>());
    }
}

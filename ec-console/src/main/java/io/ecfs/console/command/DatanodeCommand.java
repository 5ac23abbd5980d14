package io.ecfs.console.command;

import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.ConfigReader;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.datanode.server.VolumeReplacement;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.wire.WireLoops;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
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
            "  ecfs datanode --config dn0.yaml --replace-volume /data/1    once, after that drive was replaced"
        })
final class DatanodeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private DaemonOptions options;

    @Option(
            names = "--replace-volume",
            paramLabel = "PATH",
            description =
                    "Make a new volume of the empty directory at this path of the setting 'volumes': its drive was"
                            + " replaced, and is not merely unmounted. For one start; can be given several times.")
    private List<Path> replaced = List.of();

    @Option(
            names = "--same-device",
            description = "With --replace-volume: also where the directory lies on the device of its parent directory,"
                    + " as the mount point of a drive that is not mounted does.")
    private boolean sameDevice;

    @Override
    public Integer call() throws Exception {
        DatanodeConfig config = ConfigReader.read(DatanodeConfig.class, options.file(), options.overrides());
        VolumeReplacement replacement = new VolumeReplacement(Set.copyOf(replaced), sameDevice);
        WireLoops loops = WireLoops.open("ecfs", Runtime.getRuntime().availableProcessors());
        DatanodeDaemon daemon =
                DatanodeDaemon.start(config, replacement, loops, Kernels.best(), RealEnvironment.open());
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

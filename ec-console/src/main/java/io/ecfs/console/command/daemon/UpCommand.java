package io.ecfs.console.command.daemon;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClustersFile;
import io.ecfs.console.command.option.DaemonRun;
import io.ecfs.console.command.option.NameOfCluster;
import io.ecfs.console.command.option.PolicyName;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.local.ClusterEntry;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.ConsoleDaemon;
import io.ecfs.console.local.DetachedCluster;
import io.ecfs.console.local.LastUp;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A whole cluster on this machine. */
@Command(
        name = "up",
        description =
                "Start a whole cluster on this machine. Its data is kept in DIR and is there again at the next 'up'.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs up                                        in this terminal, until Ctrl-C",
            "  ecfs up --detach --dir /data/ecfs              in the background; 'ecfs down' stops it",
            "  ecfs up --processes --detach                   one JVM for each daemon, to kill and start one by one",
            "  ecfs up --dir /data/two --name two             a second one, as ecfs://two beside ecfs://local",
            "  ecfs up --only dn3                             start a dead daemon of a --processes cluster again",
            "  ecfs up --datanodes 16 --racks 4 --policy rs-10-4-1024k",
            "  ecfs up -D datanode.heartbeatInterval=500ms    change a daemon's configuration"
        })
public final class UpCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the cluster's data lies (default: .ecfs in this directory).")
    private Path directory;

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Option(names = "--processes", description = "One JVM for each daemon instead of one for all.")
    private boolean processes;

    @Option(names = "--detach", description = "Return when the cluster is ready and leave it running.")
    private boolean detach;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            converter = NameOfCluster.class,
            description =
                    "Its name in ~/.ecfs/clusters.yaml, by which ecfs://NAME finds it (default: ${DEFAULT-VALUE}).")
    private ClusterName name = ClusterName.of("local");

    @Option(names = "--no-console", description = "Without the console for browsers.")
    private boolean noConsole;

    @Option(
            names = "--only",
            paramLabel = "ID",
            description = "Start just this dead daemon of a --processes cluster again.")
    private String only;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "A daemon's configuration: namenode.KEY=VALUE or datanode.KEY=VALUE; client.tls.KEY=VALUE for"
                    + " who waits for the cluster, and its console. Repeatable.")
    private List<String> overrides = new ArrayList<>();

    /** Parts of the cluster, when it is new. */
    static final class ShapeOptions {
        @Option(
                names = "--namenodes",
                paramLabel = "N",
                description = "Namenodes of a new cluster (default: ${DEFAULT-VALUE}).")
        private int namenodes = 3;

        @Option(
                names = "--datanodes",
                paramLabel = "N",
                description = "Datanodes of a new cluster (default: ${DEFAULT-VALUE}).")
        private int datanodes = 10;

        @Option(
                names = "--volumes",
                paramLabel = "N",
                description = "Volumes of each datanode (default: ${DEFAULT-VALUE}).")
        private int volumes = 1;

        @Option(
                names = "--racks",
                paramLabel = "N",
                description = "Racks the datanodes are dealt over (default: ${DEFAULT-VALUE}).")
        private int racks = 1;

        @Option(
                names = "--policy",
                paramLabel = "NAME",
                converter = PolicyName.class,
                description = "How files are coded unless a directory says otherwise (default: ${DEFAULT-VALUE}).")
        private Policy policy = Policy.parse("rs-6-3-1024k");

        @Option(
                names = "--port-base",
                paramLabel = "P",
                description = "First of the ports to use, in a row (default: any that are free).")
        private int portBase;

        ClusterPlan.Shape shape() {
            return new ClusterPlan.Shape(policy, namenodes, datanodes, volumes, racks, portBase);
        }
    }

    @Override
    public Integer call() throws Exception {
        Path at = (directory == null ? only == null ? LastUp.DEFAULT_DIRECTORY : LastUp.directory() : directory)
                .toAbsolutePath()
                .normalize();
        if (only != null) {
            println(only + " runs again as process " + LocalCluster.startOnly(at, only));
            return 0;
        }
        ClusterPlan plan = LocalCluster.plan(at, shape.shape());
        refuseOtherShape(plan, at);
        LocalCluster.refuseWhenRunning(at);
        // It starts while the daemons do, and is waited for last.
        Optional<ConsoleDaemon> console =
                noConsole ? Optional.empty() : Optional.of(ConsoleDaemon.start(at, plan, overrides));
        try {
            return start(at, plan, console);
        } catch (Exception e) {
            console.ifPresent(ConsoleDaemon::close);
            throw e;
        }
    }

    private int start(Path at, ClusterPlan plan, Optional<ConsoleDaemon> console) throws Exception {
        if (detach && !processes) {
            DetachedCluster.start(at, name, overrides, progress());
            println(ready(plan, at) + await(console));
            return 0;
        }
        LocalCluster cluster = LocalCluster.start(
                at,
                plan,
                processes ? LocalCluster.Mode.PROCESS_EACH : LocalCluster.Mode.ONE_PROCESS,
                overrides,
                progress());
        LastUp.remember(at);
        if (!detach) {
            Runnable stop = () -> {
                console.ifPresent(ConsoleDaemon::close);
                cluster.close();
            };
            return DaemonRun.untilStopped(
                    spec.commandLine().getOut(), ready(plan, at) + await(console), stop, new CompletableFuture<>());
        }
        println(ready(plan, at) + await(console));
        return 0;
    }

    /** The line about the console, when it serves. Without one the cluster serves as well. */
    private static String await(Optional<ConsoleDaemon> console) throws IOException {
        if (console.isEmpty()) {
            return "";
        }
        try {
            console.get().await();
            return System.lineSeparator() + console.get().text();
        } catch (EcfsException e) {
            return System.lineSeparator() + "without a console: " + e.getMessage();
        }
    }

    private ProgressLine progress() {
        return new ProgressLine(spec.commandLine().getErr());
    }

    private void println(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }

    /** The line that says so, by name. A cluster whose name cannot be entered serves as well, by its addresses. */
    private String ready(ClusterPlan plan, Path at) {
        String made = " (" + plan.namenodes().size() + " namenodes, "
                + plan.datanodes().size() + " datanodes, policy " + plan.policy() + ", in " + at + ")";
        try {
            ClusterEntry.put(ClustersFile.ofThisUser(), name, plan.addresses());
            return "ready " + ClusterUri.SCHEME + "://" + name + made;
        } catch (IOException e) {
            return "ready " + plan.uri() + made + System.lineSeparator() + "without a name: " + e.getMessage();
        }
    }

    /** Options that contradict what is on disk would be ignored silently otherwise. */
    private void refuseOtherShape(ClusterPlan plan, Path at) {
        ClusterPlan.Shape asked = shape.shape();
        ClusterPlan.Shape there = plan.shape();
        refuseOther("--namenodes", asked.namenodes(), there.namenodes(), at);
        refuseOther("--datanodes", asked.datanodes(), there.datanodes(), at);
        refuseOther("--volumes", asked.volumes(), there.volumes(), at);
        refuseOther("--racks", asked.racks(), there.racks(), at);
        refuseOther("--policy", asked.policy(), there.policy(), at);
        refuseOther("--port-base", asked.portBase(), there.portBase(), at);
    }

    private void refuseOther(String option, Object asked, Object there, Path at) {
        boolean given = spec.commandLine().getParseResult().hasMatchedOption(option);
        if (given && !asked.equals(there)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "the cluster in " + at + " was made with " + option + " " + there
                            + ": leave the option out, or use another --dir");
        }
    }
}

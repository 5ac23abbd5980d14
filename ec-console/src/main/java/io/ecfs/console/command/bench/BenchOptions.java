package io.ecfs.console.command.bench;

import io.ecfs.bench.BenchPlan;
import io.ecfs.bench.WorkloadKind;
import io.ecfs.bench.load.FileSizes;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.bench.system.Target;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.ClientOption;
import io.ecfs.console.command.option.PolicyName;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code ecfs bench}, and the plan and cluster that follow from them. */
final class BenchOptions {
    /** Purges the files of a repetition before the next one begins. */
    private static final String NO_DELAY = "namenode.settings.garbage.delay=0s";

    private static final String NO_GRACE = "namenode.settings.recovery.grace=0s";
    private static final int QUICK_META = 1000;
    private static final int QUICK_FILES = 200;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            converter = PolicyName.class,
            description = "How files are coded (default: rs-6-3-1024k).")
    private Policy policy;

    @Option(
            names = "--compare",
            paramLabel = "NAME",
            split = ",",
            converter = PolicyName.class,
            description = "Several policies, which take turns; the others are compared with the first.")
    private List<Policy> compared = new ArrayList<>();

    @Option(
            names = "--quick",
            description =
                    "Small and once: 256 MiB, 1 repetition, 1 s of each pread. All takes about four minutes on two"
                            + " processors, three of them the drain.")
    private boolean quick;

    @Mixin
    private FigureOptions figures = new FigureOptions();

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            description = "One run for each (default: 1,4 sequential; 1,8 pread; 8 small and mixed; 16 meta).")
    private List<Integer> threads = new ArrayList<>();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "User data of one sequential run, and the file that is read at random (default: 2g).")
    private Long size;

    @Option(
            names = "--pread-size",
            paramLabel = "BYTES",
            split = ",",
            converter = ByteCount.class,
            description = "Bytes of one positional read (default: 4k,64k,1m).")
    private List<Long> preadSizes = new ArrayList<>();

    @Option(
            names = "--file-size",
            paramLabel = "BYTES",
            converter = FileSizesOption.class,
            description = "Bytes of one small file, or of the smallest and the largest, as 4k-256k (default: 100k).")
    private FileSizes fileSize = new FileSizes(100 << 10, 100 << 10);

    @Option(
            names = "--number",
            paramLabel = "N",
            description = "Small files, and operations of each kind of metadata (default: 10000 and 100000).")
    private Integer number;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of each pread and mixed run (default: 4).")
    private Double seconds;

    @Option(
            names = "--stopped",
            paramLabel = "N",
            split = ",",
            description = "Datanodes stopped for degraded, one run for each (default: 1 and m).")
    private List<Integer> stopped = new ArrayList<>();

    @Option(
            names = "--late",
            paramLabel = "MS",
            defaultValue = "100",
            description = "Milliseconds by which the answers of one datanode are late in slow (default: 100).")
    private int lateMillis;

    @Option(names = "--sync", description = "Files are on disk when close returns.")
    private boolean sync;

    @Option(
            names = "--warm-memory",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Before each timed write, take and give back as much page cache as it writes to disk, so that"
                    + " fetching memory from a virtual machine's host is not measured (default: on).")
    private boolean warmMemory;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description =
                    "client.KEY=VALUE; for its own cluster also namenode.KEY=VALUE and datanode.KEY=VALUE. Repeatable.")
    private List<String> overrides = new ArrayList<>();

    @Mixin
    private ClientOption client = new ClientOption();

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private Where where = new Where();

    /** A given cluster, or the shape of an own one. */
    static final class Where {
        @Option(
                names = "--cluster",
                paramLabel = "NAME",
                description = "Measure this cluster, by its name or as host:port,host:port.")
        private String uri;

        @ArgGroup(exclusive = false, multiplicity = "0..1", heading = "Its own cluster:%n")
        private Own own;
    }

    /** Parts of its own cluster. */
    static final class Own {
        @Option(
                names = "--datanodes",
                paramLabel = "N",
                description = "Datanodes (default: 10, or as the policies need).")
        private Integer datanodes;

        @Option(names = "--namenodes", paramLabel = "N", description = "Namenodes (default: 1).")
        private Integer namenodes;

        @Option(names = "--processes", description = "One JVM for each daemon instead of one for all and the client.")
        private boolean processes;

        @Option(
                names = "--dir",
                paramLabel = "DIR",
                description = "Make its directory in this one (default: the system's for temporary files).")
        private Path parent;
    }

    FigureOptions figures() {
        return figures;
    }

    /** @throws IllegalArgumentException with what to correct */
    BenchPlan plan(List<WorkloadKind> workloads) {
        if (policy != null && !compared.isEmpty()) {
            throw new IllegalArgumentException("--policy and --compare both name policies: use one of them");
        }
        List<Policy> policies = !compared.isEmpty()
                ? compared.stream().distinct().toList()
                : List.of(policy != null ? policy : Policy.parse("rs-6-3-1024k"));
        long sizeBytes = size != null ? size : quick ? 256L << 20 : 2L << 30;
        long warmUp = Math.min(sizeBytes, quick ? 64L << 20 : 384L << 20);
        return new BenchPlan(
                workloads,
                policies,
                threads,
                figures.repetitions(quick, 3),
                sizeBytes,
                warmUp,
                preads(),
                fileSize,
                number != null ? number : quick ? QUICK_FILES : 10_000,
                number != null ? number : quick ? QUICK_META : 100_000,
                seconds != null ? seconds : quick ? 1 : 4,
                stopped,
                lateMillis,
                sync,
                warmMemory);
    }

    private List<Integer> preads() {
        List<Long> wanted = preadSizes.isEmpty() ? List.of(4L << 10, 64L << 10, 1L << 20) : preadSizes;
        return wanted.stream()
                .map(bytes -> (int) Math.min(Integer.MAX_VALUE, bytes))
                .toList();
    }

    /** @throws IllegalArgumentException for work that a given cluster must not be asked for */
    void requireOwnClusterFor(BenchPlan plan) {
        for (WorkloadKind kind : plan.workloads()) {
            if (where.uri != null && kind.takesDatanodesOut()) {
                throw new IllegalArgumentException(kind.whyOwnCluster() + ", or name the other workloads");
            }
        }
    }

    Target target(BenchPlan plan, ProgressLine progress) throws IOException {
        List<String> ofDaemons = new ArrayList<>(overrides.stream()
                .filter(o -> ClientOption.ofClient(o).isEmpty())
                .toList());
        if (where.uri != null) {
            if (!ofDaemons.isEmpty()) {
                throw new IllegalArgumentException("-D " + ofDaemons.get(0)
                        + ": the daemons of a given cluster have their own configuration; only"
                        + " client.KEY=VALUE is left");
            }
            return Target.given(ClusterUri.complete(where.uri));
        }
        ofDaemons.add(0, NO_DELAY);
        if (plan.workloads().contains(WorkloadKind.RECOVERY)) {
            ofDaemons.add(0, NO_GRACE);
        }
        overrides.stream().filter(o -> o.startsWith(LocalCluster.CLIENT_TLS)).forEach(ofDaemons::add);
        Own own = where.own == null ? new Own() : where.own;
        int datanodes = own.datanodes != null ? own.datanodes : Math.max(10, plan.chunks() + 1);
        ClusterPlan.Shape shape =
                new ClusterPlan.Shape(widest(plan), own.namenodes != null ? own.namenodes : 1, datanodes, 1, 1, 0);
        return OwnCluster.start(
                Optional.ofNullable(own.parent),
                shape,
                own.processes ? LocalCluster.Mode.PROCESS_EACH : LocalCluster.Mode.ONE_PROCESS,
                ofDaemons,
                plan.storedBytes(),
                progress);
    }

    private static Policy widest(BenchPlan plan) {
        return plan.policies().stream()
                .max(Comparator.comparingInt(Policy::chunks))
                .orElseThrow();
    }

    ClientConfig client() throws IOException {
        ClientConfig usual = ClientConfig.defaults();
        return where.uri == null
                ? ConfigReader.with(usual, "-D client.KEY=VALUE", ClientOption.ofClient(overrides))
                : client.config(usual, overrides);
    }
}

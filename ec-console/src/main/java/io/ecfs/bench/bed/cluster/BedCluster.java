package io.ecfs.bench.bed.cluster;

import io.ecfs.bench.bed.BedPlan;
import io.ecfs.bench.bed.Configuration;
import io.ecfs.bench.bed.Device;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.real.Poller;
import io.ecfs.layout.Policy;
import io.ecfs.message.report.MoverReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The cluster of one run, its disks, and the client that reads. Goes with all it stored. */
final class BedCluster implements AutoCloseable {
    private static final String CLIENT_KEY = "client.";
    private static final String PATIENCE = "5m";
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final Duration LONGEST_MOVES = Duration.ofSeconds(10);
    private static final Policy CODED =
            Policy.parse("rs-" + Configuration.DATA_CHUNKS + "-" + Configuration.PARITY_CHUNKS + "-1024k");
    /** Survives as many losses. */
    private static final Policy REPLICATED = Policy.parse("replication-" + (1 + Configuration.PARITY_CHUNKS));

    private final ModelledDisks disks;
    private final OwnCluster cluster;
    private final EcfsClient client;

    private BedCluster(ModelledDisks disks, OwnCluster cluster, EcfsClient client) {
        this.disks = disks;
        this.cluster = cluster;
        this.client = client;
    }

    /**
     * Starts it, and returns when it serves.
     *
     * @param bytes of all blocks
     */
    static BedCluster start(
            BedPlan plan, ClusterSetting setting, Configuration configuration, long bytes, Readiness.Progress progress)
            throws IOException {
        ModelledDisks disks = new ModelledDisks(setting.device());
        OwnCluster cluster = OwnCluster.start(
                setting.parent(),
                new ClusterPlan.Shape(policy(configuration), setting.namenodes(), plan.sites(), 1, 1, 0),
                disks,
                ofDaemons(setting, configuration),
                storedBytes(configuration, bytes),
                progress);
        try {
            return new BedCluster(
                    disks,
                    cluster,
                    EcfsClient.connect(
                            ClusterUri.parse(cluster.uri()),
                            ofClient(plan, setting, configuration),
                            Identity.ofThisProcess()));
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static Policy policy(Configuration configuration) {
        return configuration.replicated() ? REPLICATED : CODED;
    }

    /** Stored bytes of blocks of so many bytes. */
    static long storedBytes(Configuration configuration, long bytes) {
        Policy policy = policy(configuration);
        return bytes * policy.chunks() / policy.dataChunks();
    }

    /** Nothing reads or writes chunks but clients and the mover, and what is lost stays so. */
    private static List<String> ofDaemons(ClusterSetting setting, Configuration configuration) {
        Device device = setting.device();
        List<String> settings = new ArrayList<>(List.of(
                "datanode.store.threads=1",
                "datanode.scrub.on=false",
                "namenode.settings.recovery.grace=24h",
                "namenode.settings.balance.background=false",
                "namenode.settings.parityCheck.on=false",
                "namenode.settings.mover.on=" + configuration.moved(),
                "namenode.settings.mover.overheadNanos=" + device.overheadNanos(),
                "namenode.settings.mover.leastWaitNanos=" + device.overheadNanos(),
                String.format(Locale.ROOT, "namenode.settings.mover.perByteNanos=%.3f", device.nanosPerByte())));
        setting.overrides().stream().filter(one -> !one.startsWith(CLIENT_KEY)).forEach(settings::add);
        return settings;
    }

    /**
     * Without hedges a waiting read is never abandoned: the end of a datanode is known at once. Each block has a group
     * of its own, as in the paper.
     */
    private static ClientConfig ofClient(BedPlan plan, ClusterSetting setting, Configuration configuration)
            throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                "local.on=false",
                "pack.on=false",
                "plan.choice=" + (configuration.planned() ? "COST" : "RANDOM"),
                "plan.exact=" + plan.planner().exact(),
                "plan.cachedBlocks=" + plan.planner().cachedBlocks(),
                "hedge.adaptive=" + setting.hedges(),
                "lateAfter=" + (setting.hedges() ? setting.slower() + "s" : PATIENCE),
                "callTimeout=" + PATIENCE,
                "readBudgetBytes=1g"));
        setting.overrides().stream()
                .filter(one -> one.startsWith(CLIENT_KEY))
                .map(one -> one.substring(CLIENT_KEY.length()))
                .forEach(settings::add);
        return ConfigReader.read(ClientConfig.class, "the bed's settings", "", settings);
    }

    EcfsClient client() {
        return client;
    }

    ModelledDisks disks() {
        return disks;
    }

    /** Names of its datanodes. */
    List<String> datanodes() {
        return cluster.plan().datanodes().stream()
                .map(ClusterPlan.DatanodePlan::id)
                .toList();
    }

    /** Stops a datanode without notifying the namenodes. */
    void stop(String datanode) {
        cluster.stop(datanode);
    }

    /** Chunks that the mover has moved so far. */
    long moves() throws IOException {
        return report().chunksMoved();
    }

    /** Lets the moves that have begun end, as far as that does not take long; no other begins. */
    void endMoves() throws IOException {
        Await.result(client.admin().pauseMover(true));
        Poller poller = Poller.every(POLL_INTERVAL);
        try {
            while (report().moving() > 0 && !poller.passed(LONGEST_MOVES)) {
                poller.pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while moves end", e);
        }
    }

    private MoverReport report() throws IOException {
        return Await.result(client.admin().moves(0, 1, false));
    }

    @Override
    public void close() {
        try {
            client.close();
        } finally {
            cluster.close();
        }
    }
}

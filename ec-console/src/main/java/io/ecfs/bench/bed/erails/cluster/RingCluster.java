package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.bench.bed.cluster.ClusterSetting;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.Readiness;
import io.ecfs.datanode.store.ring.StagedCounts;
import io.ecfs.datanode.store.ring.VolumeRole;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingState;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** A cluster all of whose files are in one ring, its devices, and the client. Goes with all it stored. */
final class RingCluster implements AutoCloseable {
    private static final String CLIENT_KEY = "client.";
    private static final String PATIENCE = "5m";
    private static final String RING = "bed";
    private static final FilePath ROOT = new FilePath("/");
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final Duration LONGEST_CHANGE = Duration.ofMinutes(1);

    private final RingDisks disks;
    private final OwnCluster cluster;
    private final ClusterSetting setting;
    private volatile EcfsClient client;

    private RingCluster(RingDisks disks, OwnCluster cluster, ClusterSetting setting) throws IOException {
        this.disks = disks;
        this.cluster = cluster;
        this.setting = setting;
        this.client = connect();
    }

    /**
     * Starts it with a ring that is paused, and devices that take no time yet.
     *
     * @param plan of a group of one volume a chunk
     * @param bytes that will be stored, of users
     * @param real for the volumes; empty: they lie on modelled devices
     */
    static RingCluster start(
            RingPlan plan,
            Policy policy,
            ClusterSetting setting,
            long bytes,
            Optional<DiskDirectories> real,
            Readiness.Progress progress)
            throws IOException {
        JournalPlace journals = new JournalPlace(plan.journalBytes(), real.map(DiskDirectories::journals));
        RingDisks disks = real.isPresent()
                ? RingDisks.real()
                : RingDisks.modelled(plan.device(), new SplittableRandom(plan.seed()));
        OwnCluster cluster = OwnCluster.start(
                setting.parent(),
                new ClusterPlan.Shape(policy, setting.namenodes(), plan.code().chunks(), 1, 1, 0),
                disks,
                ofDaemons(setting),
                real.isPresent() ? 0 : bytes * policy.chunks() / policy.dataChunks(),
                real.<OwnCluster.Preparation>map(directories -> new DiskPlaces(directories, journals))
                        .orElse(journals),
                progress);
        try {
            RingCluster ring = new RingCluster(disks, cluster, setting);
            ring.create(plan, policy);
            return ring;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Nothing reads or writes chunks but clients, and what is lost stays so. */
    private static List<String> ofDaemons(ClusterSetting setting) {
        List<String> settings = new ArrayList<>(List.of(
                "datanode.scrub.on=false",
                "namenode.settings.recovery.grace=24h",
                "namenode.settings.balance.background=false",
                "namenode.settings.parityCheck.on=false",
                "namenode.settings.mover.on=false"));
        setting.overrides().stream().filter(one -> !one.startsWith(CLIENT_KEY)).forEach(settings::add);
        return settings;
    }

    /** Each object has a group of its own, and a late chunk is waited for, as in the paper. */
    private static ClientConfig ofClient(ClusterSetting setting) throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                "local.on=false",
                "pack.on=false",
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

    private void create(RingPlan plan, Policy policy) throws IOException {
        List<VolumeId> volumes = Await.result(client.admin().report()).datanodes().stream()
                .flatMap(datanode -> datanode.volumes().stream())
                .map(volume -> volume.id())
                .toList();
        Await.result(client.admin()
                .createRing(
                        RING,
                        plan.ring().colours(),
                        Optional.of(plan.ring().writers()),
                        plan.turn(),
                        volumes,
                        List.of()));
        pause(true);
        Await.result(client.admin().setRing(ROOT, Optional.of(RING), Optional.of(policy)));
    }

    private EcfsClient connect() throws IOException {
        return EcfsClient.connect(ClusterUri.parse(cluster.uri()), ofClient(setting), Identity.ofThisProcess());
    }

    /** The present one: another after each {@link #pause}, which knows nothing of the ring yet. */
    EcfsClient client() {
        return client;
    }

    RingDisks disks() {
        return disks;
    }

    /**
     * Volumes write at once, as those of no ring; returns when nothing is staged. Or they take turns again. No request
     * may be under way.
     */
    void pause(boolean wanted) throws IOException {
        Await.result(client.admin().setRing(RING, Optional.empty(), Optional.empty(), Optional.of(wanted)));
        if (wanted) {
            await("drain", counts -> counts.role() == VolumeRole.OUTSIDE && counts.stagedBytes() == 0);
        } else {
            await("join their ring", counts -> counts.role() != VolumeRole.OUTSIDE);
        }
        EcfsClient before = client;
        client = connect();
        before.close();
    }

    /** Time to the next turn, in nanoseconds. */
    long nanosToTurn() throws IOException {
        List<RingState> rings = Await.result(client.admin().rings());
        return Duration.ofMillis(rings.get(0).millisToMove()).toNanos();
    }

    private void await(String what, Predicate<StagedCounts> there) throws IOException {
        Poller poller = Poller.every(POLL_INTERVAL);
        try {
            while (!disks.staged().stream().allMatch(there)) {
                if (poller.passed(LONGEST_CHANGE)) {
                    throw new EcfsException(
                            ErrorCode.INTERNAL, "volumes do not " + what + " within a minute: " + disks.staged());
                }
                poller.pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while volumes " + what, e);
        }
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

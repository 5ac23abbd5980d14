package io.ecfs.bench;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.Crew;
import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.meter.Daemon;
import io.ecfs.bench.meter.Meter;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.part.TimedParts;
import io.ecfs.bench.part.WarmMemory;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.bench.system.Target;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Context of workloads: cluster, crew, clock, and the receiver of figures. */
final class Stage implements AutoCloseable {
    private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final long HEARTBEATS_MILLIS = 2500;
    static final int DIRECTORY_MODE = 0755;
    static final double MEGA = 1e6;

    private final BenchPlan plan;
    private final Target target;
    private final EcfsClient client;
    private final ClientConfig config;
    private final FilePath base;
    private final Map<String, Object> setting;
    private final Consumer<Figure> figures;
    private final Consumer<String> doing;
    private final BenchFiles files;
    private final Crew crew = new Crew();
    private final Set<Policy> warm = new HashSet<>();
    private final TimedParts parts;

    /**
     * @param config of clients
     * @param base a directory of this run's own
     * @param setting parameters of every figure
     * @param figures notified of each figure when it is measured
     * @param doing notified of the current measurement
     */
    Stage(
            BenchPlan plan,
            Target target,
            EcfsClient client,
            ClientConfig config,
            FilePath base,
            Map<String, Object> setting,
            Consumer<Figure> figures,
            Consumer<String> doing)
            throws IOException {
        this.plan = plan;
        this.target = target;
        this.client = client;
        this.config = config;
        this.base = base;
        this.setting = setting;
        this.figures = figures;
        this.doing = doing;
        this.files = new BenchFiles(client, new Content(plan.sizeBytes()), plan.sync());
        List<Daemon> daemons = Target.daemons(client);
        this.parts = new TimedParts(
                new Meter(() -> daemons, config.tls()),
                plan.warmMemory() ? WarmMemory.in(target.scratch(daemons)) : WarmMemory.OFF);
        for (Policy policy : plan.policies()) {
            makeDirectory(directory(policy));
            Await.result(client.setPolicy(directory(policy), Optional.of(policy)));
        }
    }

    BenchPlan plan() {
        return plan;
    }

    EcfsClient client() {
        return client;
    }

    /** For clients of a workload's own. */
    ClientConfig config() {
        return config;
    }

    String uri() {
        return target.uri();
    }

    BenchFiles files() {
        return files;
    }

    Crew crew() {
        return crew;
    }

    Optional<OwnCluster> own() {
        return target.own();
    }

    /**
     * The cluster whose datanodes a workload takes out.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} for a given one, which others may be using
     */
    OwnCluster ownFor(WorkloadKind kind) throws EcfsException {
        return own().orElseThrow(() -> new EcfsException(ErrorCode.INVALID_ARGUMENT, kind.whyOwnCluster()));
    }

    /** The directory whose files have this policy. */
    FilePath directory(Policy policy) {
        return new FilePath(base.text() + "/" + policy.name());
    }

    FilePath path(Policy policy, String name) {
        return new FilePath(directory(policy).text() + "/" + name);
    }

    void makeDirectory(FilePath path) throws IOException {
        Await.result(client.mkdirs(path, DIRECTORY_MODE, true));
    }

    void delete(FilePath path) throws IOException {
        Await.result(client.delete(path, true));
    }

    /** Reports the current measurement. */
    void doing(String what) {
        doing.accept(what);
    }

    /** True the first time for a policy: the first bytes of a JVM go at half speed, so it must be warmed up. */
    boolean mustWarmUp(Policy policy) {
        return warm.add(policy);
    }

    /** Runs a part with everything quiet before it. */
    <T> Measured<T> measure(TimedParts.Part<T> part) throws Exception {
        return parts.measure(client, 0, part);
    }

    /**
     * Runs a part that writes, with memory warmed for it and everything quiet before it.
     *
     * @param policy of what it writes
     * @param bytes of user data that it writes
     */
    <T> Measured<T> measureWrite(Policy policy, long bytes, TimedParts.Part<T> part) throws Exception {
        return parts.measure(client, BenchPlan.onDisk(policy, bytes), part);
    }

    /**
     * Runs a part that rebuilds chunks, with memory warmed for it and everything quiet before it: twice of what is
     * rebuilt, since daemons take buffers too and write back later what they have written.
     *
     * @param bytes that it rebuilds
     */
    <T> Measured<T> measureRepair(long bytes, TimedParts.Part<T> part) throws Exception {
        return parts.measure(client, 2 * bytes, part);
    }

    /** A figure of bytes by time, in MB/s. */
    void throughput(String name, Map<String, Object> what, Measured<Latencies> part, long bytes) {
        Map<String, Object> params = new LinkedHashMap<>(what);
        params.putAll(part.result().params());
        params.putAll(part.params(bytes, Math.max(1, bytes / Content.SLICE)));
        figure(name, bytes / MEGA / part.cost().seconds(), "MB/s", params);
    }

    /** A figure of operations by time. */
    void rate(String name, String unit, Map<String, Object> what, Measured<Latencies> part, long bytes) {
        long operations = part.result().count();
        Map<String, Object> params = new LinkedHashMap<>(what);
        params.putAll(part.result().params());
        params.putAll(part.params(bytes, Math.max(1, operations)));
        figure(name, operations / part.cost().seconds(), unit, params);
    }

    void figure(String name, double value, String unit, Map<String, Object> params) {
        Map<String, Object> all = new LinkedHashMap<>(setting);
        all.putAll(params);
        figures.accept(new Figure(name, value, unit, all));
    }

    /** Parameters of every figure of a repetition. */
    static Map<String, Object> what(Policy policy, int repetition) {
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("policy", policy.name());
        what.put("rep", repetition);
        return what;
    }

    /** Parameters of the figures of a repetition by some threads. */
    static Map<String, Object> what(Policy policy, int repetition, int threads) {
        Map<String, Object> what = what(policy, repetition);
        what.put("threads", threads);
        return what;
    }

    /**
     * Bytes stored on the datanodes: of chunk files where their directories are accessible, otherwise as the cluster
     * reports them.
     */
    long stored() throws IOException {
        if (target.own().isPresent()) {
            return target.own().get().diskBytes();
        }
        return Await.result(client.admin().report()).datanodes().stream()
                .flatMap(datanode -> datanode.volumes().stream())
                .mapToLong(ClusterReport.Volume::chunks)
                .sum();
    }

    /**
     * Waits until the chunks of deleted files are gone, so that their removal does not run into a timed part; not for
     * ever.
     *
     * @param before what {@link #stored} said before the files were written
     */
    void drain(long before) throws IOException, InterruptedException {
        if (target.own().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(HEARTBEATS_MILLIS); // until then the cluster may not know what was written
        }
        Poller poller = Poller.every(POLL_INTERVAL);
        while (stored() > before && !poller.passed(DRAIN_PATIENCE)) {
            poller.pause();
        }
    }

    /**
     * Waits until all groups are sealed, so that neither tail logs nor an open pack are counted; not for ever.
     *
     * @return whether they are
     */
    boolean awaitSealed(OwnCluster cluster) throws IOException, InterruptedException {
        Poller poller = Poller.every(POLL_INTERVAL);
        while (cluster.writingBytes() > 0) {
            if (poller.passed(DRAIN_PATIENCE)) {
                return false;
            }
            poller.pause();
        }
        return true;
    }

    @Override
    public void close() {
        crew.close();
        parts.close();
    }
}

package io.ecfs.bench.exstorus.cluster;

import com.sun.management.OperatingSystemMXBean;
import io.ecfs.bench.bed.network.LimitedNetwork;
import io.ecfs.bench.bed.network.LinkTimer;
import io.ecfs.bench.bed.network.NicCaller;
import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.console.local.Readiness;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.Environment;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.WriteShare;
import io.ecfs.plan.write.Network;
import io.ecfs.wire.Await;
import io.ecfs.wire.WireLoops;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A cluster of one namenode and some datanodes in this process whose links are limited, and clients that write to it as
 * {@code dd} does. One thread at a time. Goes with all it stored.
 */
final class WriteCluster implements AutoCloseable {
    private static final Policy POLICY = Policy.parse("rs-4-2-32k");
    private static final Address CLIENT = new Address("client", 1);
    /** Every datanode has a chunk of every group. */
    private static final String MASTER = "dn0";

    private static final String CLIENT_KEY = "client.";
    private static final String CLIENT_THREADS = "ecfs-client";
    private static final String PATIENCE = "5m";
    private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final int WARM_STRIPES = 16;
    private static final long NEEDED_BYTES = 2L << 30;
    private static final double NANOS = 1e9;

    private final Environment environment;
    private final RealPlan plan;
    private final LinkTimer links;
    private final OwnCluster cluster;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private int files;

    private WriteCluster(Environment environment, RealPlan plan, LinkTimer links, OwnCluster cluster) {
        this.environment = environment;
        this.plan = plan;
        this.links = links;
        this.cluster = cluster;
    }

    /** Starts it without limits, and returns when it serves. */
    static WriteCluster start(RealPlan plan, int datanodes, Environment environment, Readiness.Progress progress)
            throws IOException {
        LinkTimer links = new LinkTimer(environment.clock(), environment.threads(), datanodes + 2);
        try {
            OwnCluster cluster = OwnCluster.start(
                    plan.parent(),
                    new ClusterPlan.Shape(POLICY, 1, datanodes, 1, 1, 0),
                    new DatanodesOnLinks(links.network()),
                    ofDaemons(plan),
                    NEEDED_BYTES,
                    progress);
            return new WriteCluster(environment, plan, links, cluster);
        } catch (IOException | RuntimeException e) {
            links.close();
            throw e;
        }
    }

    /** Datanodes that call others through their NICs. */
    private record DatanodesOnLinks(LimitedNetwork network) implements DaemonStart {
        @Override
        public DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment machine)
                throws EcfsException {
            int own = network.machine(config.listen());
            return DatanodeDaemon.start(
                    config,
                    loops,
                    kernel,
                    machine,
                    new DatanodeDaemon.Around(
                            UnaryOperator.identity(), real -> new NicCaller(real, network, own, machine.clock())));
        }
    }

    /** Nothing reads or writes chunks but clients. */
    private static List<String> ofDaemons(RealPlan plan) {
        List<String> settings = new ArrayList<>(List.of(
                "datanode.scrub.on=false",
                "namenode.settings.recovery.grace=24h",
                "namenode.settings.garbage.delay=1s", // no run waits for the deletion of the one before
                "namenode.settings.balance.background=false",
                "namenode.settings.parityCheck.on=false",
                "namenode.settings.mover.on=false"));
        plan.overrides().stream().filter(one -> !one.startsWith(CLIENT_KEY)).forEach(settings::add);
        return settings;
    }

    private EcfsClient client(EncodingSide side, int window) throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                "local.on=false",
                "pack.on=false",
                "encode=" + side.text(),
                "writeWindowStripes=" + (window - 1),
                "stallAfter=" + PATIENCE,
                "callTimeout=" + PATIENCE));
        if (plan.fixedMaster()) {
            settings.add("master=" + MASTER);
        }
        plan.overrides().stream()
                .filter(one -> one.startsWith(CLIENT_KEY))
                .map(one -> one.substring(CLIENT_KEY.length()))
                .forEach(settings::add);
        int own = links.network().machine(CLIENT);
        return EcfsClient.connect(
                ClusterUri.parse(cluster.uri()),
                ClientConfig.defaults().with(settings.toArray(String[]::new)),
                Identity.ofThisProcess(),
                real -> new NicCaller(real, links.network(), own, environment.clock()));
    }

    /**
     * Writes a mix by a new client, verifies it without limits, and deletes it.
     *
     * @param network empty: without limits
     */
    WriteRun write(WriteMix mix, EncodingSide side, int window, Optional<Network> network) throws IOException {
        try (EcfsClient client = client(side, window)) {
            List<FilePath> written = new ArrayList<>();
            try {
                WriteRun run = write(client, mix, side, window, network, written);
                links.network().unlimit();
                for (FilePath path : written) {
                    verify(client, mix, path);
                }
                return run;
            } finally {
                links.network().unlimit();
                for (FilePath path : written) {
                    Await.result(client.delete(path, false));
                }
                drain();
            }
        }
    }

    private WriteRun write(
            EcfsClient client,
            WriteMix mix,
            EncodingSide side,
            int window,
            Optional<Network> network,
            List<FilePath> written)
            throws IOException {
        byte[] record = record(mix);
        int warm = (int) Math.max(1, WARM_STRIPES * mix.policy().stripeBytes() / mix.recordBytes());
        write(client, mix, warm, record, written); // connects
        network.ifPresent(links.network()::limit);
        links.lateness();
        Map<WriteShare.Key, WriteShare> before =
                client.writeTimes().stream().collect(Collectors.toMap(WriteShare::key, Function.identity()));
        long sent = links.network().sentBytes(links.network().machine(CLIENT));
        long clientNanos = clientNanos();
        long processNanos = processNanos();
        long begin = environment.clock().nanos();
        for (int i = 0; i < mix.files(); i++) {
            write(client, mix, mix.records(), record, written);
        }
        long nanos = environment.clock().nanos() - begin;
        return new WriteRun(
                mix,
                side,
                window,
                nanos / NANOS,
                WriteShare.added(before, client.writeTimes()),
                clientNanos() - clientNanos,
                processNanos() - processNanos,
                links.network().sentBytes(links.network().machine(CLIENT)) - sent,
                links.lateness());
    }

    private void write(EcfsClient client, WriteMix mix, int records, byte[] record, List<FilePath> written)
            throws IOException {
        FilePath path = new FilePath("/exstorus/" + files++);
        EcfsOutputStream out =
                Await.result(client.create(path, CreateOptions.defaults().withPolicy(mix.policy())));
        written.add(path);
        try (out) {
            for (int i = 0; i < records; i++) {
                number(record, i);
                out.write(record, 0, record.length);
            }
        }
    }

    /** The same bytes in each record, but for its number in the first ones. */
    private static byte[] record(WriteMix mix) {
        byte[] record = new byte[Math.toIntExact(mix.recordBytes())];
        new SplittableRandom(1).nextBytes(record);
        return record;
    }

    private static void number(byte[] record, int number) {
        ByteBuffer.wrap(record).putInt(number);
    }

    private static void verify(EcfsClient client, WriteMix mix, FilePath path) throws IOException {
        byte[] expected = record(mix);
        byte[] read = new byte[expected.length];
        FileReader file = Await.result(client.open(path));
        for (long at = 0; at < file.length(); at += read.length) {
            number(expected, (int) (at / read.length));
            BenchFiles.readFully(file, at, ByteBuffer.wrap(read));
            if (!Arrays.equals(read, expected)) {
                throw new IOException(path + " does not read as it was written, at byte " + at);
            }
        }
    }

    /** Lets the datanodes delete what was deleted. */
    private void drain() throws IOException {
        Poller poller = Poller.every(POLL_INTERVAL);
        try {
            while (cluster.diskBytes() > 0 && !poller.passed(DRAIN_PATIENCE)) {
                poller.pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while chunks are deleted", e);
        }
    }

    /** Processor time of the client's threads and of this one. */
    private long clientNanos() {
        long sum = threads.getCurrentThreadCpuTime();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(CLIENT_THREADS)) {
                sum += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return sum;
    }

    private static long processNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    @Override
    public void close() {
        try {
            cluster.close();
        } finally {
            links.close();
        }
    }
}

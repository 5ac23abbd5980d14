package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.KohOptions;
import io.ecfs.bench.meter.Daemon;
import io.ecfs.bench.meter.Meter;
import io.ecfs.bench.part.TimedParts;
import io.ecfs.bench.part.WarmMemory;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.bench.system.Target;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.console.local.Readiness;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The cluster of a run, its clients and its meter. Goes with all it stored. For one thread. */
final class KohCluster implements AutoCloseable {
    private static final String OF_CLIENT = "client.";
    private static final int DIRECTORY_MODE = 0755;

    private final KohSetting setting;
    private final CountedVolumes volumes;
    private final OwnCluster cluster;
    private final EcfsClient client;
    private final Map<String, EcfsClient> byKernel = new TreeMap<>();
    private final TimedParts parts;

    private KohCluster(KohSetting setting, CountedVolumes volumes, OwnCluster cluster) throws IOException {
        this.setting = setting;
        this.volumes = volumes;
        this.cluster = cluster;
        this.client = client(Kernels.best(), List.of());
        List<Daemon> daemons = Target.daemons(client);
        this.parts = new TimedParts(new Meter(() -> daemons, config(List.of()).tls()), WarmMemory.OFF);
    }

    /**
     * Starts it, and returns when it serves.
     *
     * @param neededBytes that will lie on its disks at a time
     */
    static KohCluster start(KohOptions options, KohSetting setting, long neededBytes, Readiness.Progress progress)
            throws IOException {
        if (setting.trace().isPresent()) {
            Files.createDirectories(setting.trace().get());
            Files.deleteIfExists(setting.trace().get().resolve(KohRun.STAGES));
        }
        Policy widest = options.policies().stream()
                .max(Comparator.comparingInt(Policy::chunks))
                .orElseThrow();
        ClusterPlan.Shape shape = new ClusterPlan.Shape(widest, 1, setting.datanodes(), 1, setting.racks(), 0);
        CountedVolumes volumes = new CountedVolumes(setting.trace());
        OwnCluster cluster = setting.processes()
                ? OwnCluster.start(
                        setting.parent(),
                        shape,
                        LocalCluster.Mode.PROCESS_EACH,
                        ofDaemons(setting),
                        neededBytes,
                        progress)
                : OwnCluster.start(setting.parent(), shape, volumes, ofDaemons(setting), neededBytes, progress);
        try {
            KohCluster started = new KohCluster(setting, volumes, cluster);
            for (Policy policy : options.policies()) {
                FilePath directory = started.directory(policy);
                Await.result(started.client.mkdirs(directory, DIRECTORY_MODE, true));
                Await.result(started.client.setPolicy(directory, Optional.of(policy)));
            }
            return started;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Nothing reads or writes chunks but clients. */
    private static List<String> ofDaemons(KohSetting setting) {
        List<String> settings = new ArrayList<>(List.of(
                "datanode.scrub.on=false",
                "namenode.settings.recovery.grace=24h",
                "namenode.settings.garbage.delay=0s",
                "namenode.settings.balance.background=false",
                "namenode.settings.parityCheck.on=false",
                "namenode.settings.mover.on=false"));
        setting.overrides().stream().filter(one -> !one.startsWith(OF_CLIENT)).forEach(settings::add);
        return settings;
    }

    private EcfsClient client(GaloisKernel kernel, List<String> more) throws IOException {
        return EcfsClient.connect(
                ClusterUri.parse(cluster.uri()),
                config(more),
                Identity.ofThisProcess(),
                UnaryOperator.identity(),
                kernel);
    }

    /** All chunks come over the network; more writes may wait than any depth and size has bytes. */
    private ClientConfig config(List<String> more) {
        List<String> settings = new ArrayList<>(List.of("local.on=false", "pack.on=false", "update.waitingBytes=2GiB"));
        settings.addAll(more);
        setting.overrides().stream()
                .filter(one -> one.startsWith(OF_CLIENT))
                .map(one -> one.substring(OF_CLIENT.length()))
                .forEach(settings::add);
        return ConfigReader.with(ClientConfig.defaults(), settings);
    }

    EcfsClient client() {
        return client;
    }

    /** The client that codes with a kernel, itself and never a datanode for it; empty: as usual. */
    EcfsClient client(Optional<String> kernel) throws IOException {
        if (kernel.isEmpty()) {
            return client;
        }
        String name = kernel.get();
        if (!byKernel.containsKey(name)) {
            byKernel.put(name, client(Kernels.choose(name), List.of("encode=client")));
        }
        return byKernel.get(name);
    }

    TimedParts parts() {
        return parts;
    }

    KohSetting setting() {
        return setting;
    }

    /** Sum over all volumes; empty when they are in other processes. */
    Optional<VolumeTraffic> volumes() {
        return setting.processes() ? Optional.empty() : Optional.of(volumes.now());
    }

    /** Nanoseconds of the traces. */
    long traceNanos() {
        return volumes.elapsed();
    }

    /** Its files have this policy. */
    FilePath directory(Policy policy) {
        return new FilePath("/koh/" + policy.name());
    }

    String description() {
        return cluster.description() + ", " + setting.racks() + " racks";
    }

    @Override
    public void close() {
        parts.close();
        byKernel.values().forEach(EcfsClient::close);
        client.close();
        cluster.close();
    }
}

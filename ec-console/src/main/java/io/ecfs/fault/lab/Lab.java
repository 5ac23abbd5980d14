package io.ecfs.fault.lab;

import io.ecfs.bench.meter.Daemon;
import io.ecfs.bench.meter.Meter;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.bench.system.Target;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.console.local.Readiness;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.inject.DatanodeLinks;
import io.ecfs.fault.inject.LabDisks;
import io.ecfs.fault.inject.LabSite;
import io.ecfs.fault.inject.UndoStack;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.LabCluster;
import io.ecfs.fault.victim.PlacedGroup;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A cluster of an experiment's own, with disks and links that can be hurt, and a client of it. */
final class Lab implements LabSite, AutoCloseable {
    private static final String CLIENT = "client.";

    private final OwnCluster cluster;
    private final LabSurroundings surroundings;
    private final EcfsClient client;
    private final UndoStack lasting;
    private final List<FilePath> files;

    private Lab(
            OwnCluster cluster,
            LabSurroundings surroundings,
            EcfsClient client,
            UndoStack lasting,
            List<FilePath> files) {
        this.cluster = cluster;
        this.surroundings = surroundings;
        this.client = client;
        this.lasting = lasting;
        this.files = files;
    }

    /**
     * Starts one and returns when it serves.
     *
     * @param parent of its directory; empty: where the system has temporary files
     * @param neededBytes that will lie on its disks
     */
    static Lab start(
            FaultProfile profile, Policy policy, Optional<Path> parent, long neededBytes, Readiness.Progress progress)
            throws IOException {
        LabCluster shape = profile.cluster();
        UndoStack lasting = new UndoStack();
        LabSurroundings surroundings = new LabSurroundings(profile, lasting);
        OwnCluster cluster = OwnCluster.start(
                parent,
                new ClusterPlan.Shape(policy, shape.namenodes(), shape.datanodes(), shape.volumes(), shape.racks(), 0),
                shape.shape() == LabCluster.Shape.ONE ? LocalCluster.Mode.ONE_PROCESS : LocalCluster.Mode.PROCESS_EACH,
                shape.set().stream()
                        .filter(setting -> !setting.startsWith(CLIENT))
                        .toList(),
                neededBytes,
                surroundings,
                progress);
        try {
            ClientConfig config = ClientConfig.defaults()
                    .with(shape.set().stream()
                            .filter(setting -> setting.startsWith(CLIENT))
                            .map(setting -> setting.substring(CLIENT.length()))
                            .toArray(String[]::new));
            EcfsClient client = EcfsClient.connect(ClusterUri.parse(cluster.uri()), config, Identity.ofThisProcess());
            return new Lab(cluster, surroundings, client, lasting, LabFiles.paths(profile.workload()));
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    EcfsClient client() {
        return client;
    }

    /** Faults that last; all are undone at the latest when the cluster ends. */
    UndoStack lasting() {
        return lasting;
    }

    /** Counts what daemons cost. */
    Meter meter() throws IOException {
        List<Daemon> daemons = Target.daemons(client);
        return new Meter(() -> daemons, Optional.empty());
    }

    /** Bytes of chunks that are being written. */
    long writingBytes() throws IOException {
        return cluster.writingBytes();
    }

    /** Directory of the daemons' logs. */
    Path logs() {
        return cluster.directory().resolve("logs");
    }

    /** Bytes of all chunk files. */
    long diskBytes() throws IOException {
        return cluster.diskBytes();
    }

    /** The namenode that leads now. */
    String leader() throws IOException {
        return Await.result(client.admin().report())
                .leader()
                .map(ClusterReport.Namenode::id)
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INTERNAL, "the namenodes answer and none of them says that it leads"));
    }

    /** Ids of all namenodes. */
    List<String> namenodes() {
        return cluster.plan().namenodes().stream()
                .map(ClusterPlan.NamenodePlan::id)
                .toList();
    }

    @Override
    public void kill(String daemon) {
        Optional<ProcessHandle> process = cluster.process(daemon);
        cluster.kill(daemon);
        process.filter(handle -> handle.pid() != ProcessHandle.current().pid())
                .ifPresent(handle -> handle.onExit().join());
    }

    @Override
    public void stop(String daemon) {
        cluster.stop(daemon);
    }

    @Override
    public void start(String daemon) throws IOException {
        try {
            cluster.start(daemon);
        } catch (EcfsException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) { // another fault's undo has started it
                throw e;
            }
        }
    }

    @Override
    public Optional<ProcessHandle> process(String daemon) {
        return cluster.process(daemon);
    }

    @Override
    public DatanodeLinks links(String datanode) {
        return surroundings.links(datanode);
    }

    @Override
    public Path home(String datanode) {
        return cluster.directory().resolve(datanode).resolve("home");
    }

    @Override
    public Path directory(StoredVolume volume) {
        return directory(cluster.directory(), volume);
    }

    /** Directory of a volume of the cluster in a directory. */
    static Path directory(Path cluster, StoredVolume volume) {
        return cluster.resolve(volume.datanode()).resolve("volume" + volume.number());
    }

    @Override
    public LabDisks disks() {
        return surroundings.disks();
    }

    @Override
    public Placement placement() throws IOException {
        return PlacementReader.read(client, files, volumes(), this::directory);
    }

    /** Names of the datanodes by rack, in the order of the plan. */
    Map<String, List<String>> racks() {
        Map<String, List<String>> racks = new LinkedHashMap<>();
        for (ClusterPlan.DatanodePlan datanode : cluster.plan().datanodes()) {
            racks.computeIfAbsent(datanode.rack(), rack -> new ArrayList<>()).add(datanode.id());
        }
        return racks;
    }

    /** All volumes of the cluster. */
    List<StoredVolume> volumes() {
        return cluster.plan().datanodes().stream()
                .flatMap(datanode -> IntStream.range(0, datanode.volumes())
                        .mapToObj(number -> new StoredVolume(datanode.id(), number, datanode.rack())))
                .toList();
    }

    @Override
    public Optional<Path> chunkFile(PlacedGroup group, int index, StoredVolume volume) throws IOException {
        return LabChunks.newest(directory(volume), group.id(), index);
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
    }
}

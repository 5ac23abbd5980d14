package io.ecfs.namenode.leader;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.Environment;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ratis.FreePorts;
import io.ecfs.namenode.log.ratis.LogContext;
import io.ecfs.namenode.log.ratis.RaftMember;
import io.ecfs.namenode.log.ratis.RaftTuning;
import io.ecfs.namenode.log.ratis.RatisLog;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotSource;
import io.ecfs.namenode.metrics.NamenodeGauges;
import io.ecfs.namenode.rpc.Namenode;
import io.ecfs.namenode.rpc.Registration;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * Three namenodes with Ratis and RocksDB in this process, and ten datanodes that hold no bytes and report to all of
 * them: their chunks once, then a few of them again and again, and heartbeats. The groups are written into the stores,
 * the same into each, while nothing runs: no file has them.
 */
final class FailoverCluster implements AutoCloseable {
    private static final LogIdentity LOG = new LogIdentity("failover", new UUID(0x6563_6673L, 2));
    private static final int DATANODES = 10;
    private static final int STAMP = 7;
    private static final int IN_ONE_TRANSACTION = 2_000;
    private static final int IN_ONE_PAGE = 20_000;
    private static final int CHANGES = 50;
    private static final long ROUND_MILLIS = 200;
    private static final long CAPACITY = 1L << 50;

    private final Policy policy;
    private final int groups;
    private final Path root = Files.createTempDirectory("ecfs-failover");
    private final Environment environment = RealEnvironment.open();
    private final Map<String, Address> peers = new TreeMap<>();
    private final ConcurrentSkipListMap<String, Node> nodes = new ConcurrentSkipListMap<>();
    private final Thread reporting = new Thread(this::report, "reporting");
    private volatile long ledSince;
    private volatile boolean closed;

    record Node(RocksStore store, RatisLog log, Namenode namenode) {
        void close() {
            namenode.close();
            log.close();
            store.close();
        }
    }

    FailoverCluster(Policy policy, int groups) throws Exception {
        this.policy = policy;
        this.groups = groups;
        List<Integer> ports = FreePorts.find(3);
        for (int i = 0; i < 3; i++) {
            peers.put("nn" + i, new Address("127.0.0.1", ports.get(i)));
        }
        for (String peer : peers.keySet()) {
            RatisLog.markFormatted(root.resolve(peer));
        }
        startAll();
        for (int datanode = 0; datanode < DATANODES; datanode++) {
            while (!register(datanode)) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        awaitSamePosition();
        stopAll();
        for (String peer : peers.keySet()) {
            fill(peer);
        }
        startAll();
        for (int datanode = 0; datanode < DATANODES; datanode++) {
            while (!register(datanode)) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            reportFully(datanode);
        }
        reporting.start();
    }

    /** When the namenode that leads began to. */
    long ledSinceNanos() {
        return ledSince;
    }

    Map<String, Namenode> running() {
        Map<String, Namenode> running = new TreeMap<>();
        nodes.forEach((peer, node) -> running.put(peer, node.namenode()));
        return running;
    }

    /** Every namenode has compared all, and the leader takes writes. */
    void awaitAllReady() throws InterruptedException {
        while (!running().values().stream().map(n -> n.gauges().join()).allMatch(NamenodeGauges::damageKnown)
                || running().values().stream()
                        .map(n -> n.gauges().join())
                        .noneMatch(gauges -> gauges.leading() && !gauges.safeMode())) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** The namenode that leads is no longer one of those that run: close it. */
    Node takeLeader() {
        String leader = nodes.keySet().stream()
                .filter(peer -> nodes.get(peer).log().leadership().leading())
                .findFirst()
                .orElseThrow();
        return nodes.remove(leader);
    }

    private void startAll() throws IOException {
        for (String peer : peers.keySet()) {
            RocksStore store = new RocksStore(root.resolve(peer + "-state"), RocksSettings.DEFAULT);
            MetadataState state = new MetadataState(store);
            RatisLog log = RatisLog.open(
                    new RaftMember(peer, LOG, peers, root.resolve(peer), Optional.empty()),
                    RaftTuning.standard(),
                    state,
                    new LogContext(
                            environment,
                            other -> Optional.ofNullable(peers.get(other)),
                            this::snapshot,
                            failure -> {}));
            log.onLeadership(now -> ledSince = now.leading() ? System.nanoTime() : ledSince);
            Namenode namenode = new Namenode(
                    environment,
                    new Members(peer, peers),
                    log,
                    state,
                    ConfigReader.with(NamenodeSettings.defaults(policy, "root"), List.of("mover.on=false")));
            nodes.put(peer, new Node(store, log, namenode));
        }
    }

    private SnapshotSource.Answer snapshot(String from, SnapshotRequest request) throws IOException {
        throw new EcfsException(
                ErrorCode.UNREACHABLE, from + " answers no " + request + ": nobody here falls so far behind");
    }

    private void stopAll() {
        nodes.values().forEach(Node::close);
        nodes.clear();
    }

    private void awaitSamePosition() throws InterruptedException {
        while (nodes.values().stream()
                        .map(node -> node.namenode().gauges().join().appliedIndex())
                        .distinct()
                        .count()
                > 1) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void fill(String peer) {
        try (RocksStore store = new RocksStore(root.resolve(peer + "-state"), RocksSettings.DEFAULT)) {
            for (int first = 1; first <= groups; first += IN_ONE_TRANSACTION) {
                try (Transaction transaction = store.begin()) {
                    for (int group = first; group < first + IN_ONE_TRANSACTION && group <= groups; group++) {
                        Groups.put(transaction, facts(group));
                        Counter.SEALED_GROUPS.add(transaction, 1);
                        Counter.LAST_GROUP.add(transaction, 1);
                    }
                    transaction.commit();
                }
            }
            store.checkpoint(root.resolve(peer + "-durable"));
        }
    }

    /**
     * Chunk {@code index} of a group lies on the volume of datanode group + index, round and round; volume numbers
     * begin at 1.
     */
    private GroupFacts facts(int group) {
        List<GroupFacts.Place> places = new ArrayList<>();
        for (int index = 0; index < policy.chunks(); index++) {
            places.add(new GroupFacts.Place(Optional.of(new VolumeId((group + index) % DATANODES + 1)), 0));
        }
        return new GroupFacts(new GroupId(group), new InodeId(1), policy, policy.groupBytes(), places, STAMP);
    }

    private ChunkRecord chunk(int group, int index) {
        long bytes = new GroupLayout(policy, policy.groupBytes()).chunkBytes(index);
        return new ChunkRecord(
                new ChunkId(new GroupId(group), index, 0),
                ChunkState.FINALISED,
                bytes,
                bytes,
                policy.groupBytes(),
                STAMP);
    }

    private int indexOn(int datanode, int group) {
        return Math.floorMod(datanode - group, DATANODES);
    }

    private static DatanodeId name(int datanode) {
        return new DatanodeId("dn" + datanode);
    }

    private static String uuid(int datanode) {
        return "uuid" + datanode;
    }

    private static VolumeId volume(int datanode) {
        return new VolumeId(datanode + 1);
    }

    /**
     * In order, so that the volumes have the numbers of their datanodes.
     *
     * @return whether all namenodes know it
     */
    private boolean register(int datanode) {
        DatanodeReport.Register register = new DatanodeReport.Register(
                name(datanode),
                uuid(datanode),
                1,
                "",
                Registration.LAYOUT_VERSION,
                new Address(name(datanode).name(), 9866),
                "/rack" + datanode % 2,
                List.of(new DatanodeReport.VolumeOffer(uuid(datanode), CAPACITY)));
        return nodes.values().stream()
                        .filter(node -> registered(node, register))
                        .count()
                == nodes.size();
    }

    private static boolean registered(Node node, DatanodeReport.Register register) {
        return node.namenode()
                .datanode(register)
                .handle((reply, notYet) -> reply instanceof DatanodeReply.Registered)
                .join();
    }

    private void reportFully(int datanode) {
        List<ChunkRecord> page = new ArrayList<>();
        int pages = 0;
        for (int group = 1; group <= groups; group++) {
            int index = indexOn(datanode, group);
            if (index < policy.chunks()) {
                page.add(chunk(group, index));
            }
            if (page.size() == IN_ONE_PAGE || group == groups) {
                DatanodeReport report = new DatanodeReport.FullReport(
                        name(datanode), uuid(datanode), 2, volume(datanode), 1, pages++, group == groups, page);
                tell(report);
                page = new ArrayList<>();
            }
        }
        beat(datanode);
    }

    private void beat(int datanode) {
        tell(new DatanodeReport.Heartbeat(
                name(datanode),
                uuid(datanode),
                List.of(new DatanodeReport.VolumeStatus(
                        volume(datanode), VolumeState.HEALTHY, CAPACITY, 0, CAPACITY, 0, 0, 0)),
                Optional.empty(),
                Optional.empty()));
    }

    private void tell(DatanodeReport report) {
        for (Node node : nodes.values()) {
            boolean unused = node.namenode()
                    .datanode(report)
                    .completeOnTimeout(new DatanodeReply.Noted(), 1, TimeUnit.MINUTES) // one that is being stopped
                    .handle((reply, failure) -> failure == null)
                    .join();
        }
    }

    /** Heartbeats, and some chunks of each datanode as if they had just been written. */
    private void report() {
        int group = 1;
        while (!closed) {
            for (int datanode = 0; datanode < DATANODES; datanode++) {
                beat(datanode);
                List<ChunkChange> changes = new ArrayList<>();
                for (int i = 0; i < CHANGES; i++) {
                    group = group % groups + 1;
                    int index = indexOn(datanode, group);
                    if (index < policy.chunks()) {
                        changes.add(new ChunkChange.Present(volume(datanode), chunk(group, index)));
                    }
                }
                tell(new DatanodeReport.ChangeReport(name(datanode), uuid(datanode), 3, changes));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        reporting.interrupt();
        stopAll();
        DirectoryTree.delete(root);
    }
}

package io.ecfs.namenode.rpc;

import io.ecfs.env.Environment;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.log.ReplicatedState;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A whole namenode on RocksDB with its default bounds, in this process, full of files with one group each, a hundred in
 * a directory; files are created and closed by calls, and ten datanodes that hold no bytes report their chunks. The log
 * is a list that forgets.
 */
final class LoadedNamenode implements AutoCloseable {
    private static final int DATANODES = 10;
    private static final int IN_ONE_DIRECTORY = 100;
    private static final int WARM_UP = 2000;
    private static final int UNDER_WAY = 200;
    private static final int CHANGES_IN_A_REPORT = 100;
    private static final long HEARTBEAT_NANOS = 1_000_000_000L;
    private static final long CAPACITY = 1L << 40;
    private static final CallerIdentity ROOT = new CallerIdentity("root", List.of());

    private final Environment environment = RealEnvironment.open();
    private final Map<DatanodeId, FakeDatanode> datanodes = new TreeMap<>();
    private final ToLongFunction<Policy> length;
    private final Path directory;
    private final RocksStore store;
    private final Namenode namenode;
    private long requests;
    private long beatAt;

    /** The log of one namenode that never restarts: commands are applied as they come. */
    private record ForgetfulLog(MetadataState state) implements MetadataLog {
        @Override
        public synchronized CompletableFuture<byte[]> propose(byte[] command) {
            long next = state.applied().index() + 1;
            return CompletableFuture.completedFuture(
                    state.apply(new ReplicatedState.Position(1, next), List.of(command))
                            .get(0));
        }

        @Override
        public <T> CompletableFuture<T> read(LocalRead<T> read) {
            try {
                return CompletableFuture.completedFuture(read.run());
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public Leadership leadership() {
            return new Leadership(1, true, Optional.of("nn"));
        }

        @Override
        public void onLeadership(LeadershipListener listener) {
            listener.leadership(leadership());
        }

        @Override
        public List<Member> members() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    /** Says what a datanode with one volume would. */
    private final class FakeDatanode {
        private final DatanodeId id;
        private final List<ChunkChange> changes = new ArrayList<>();
        private long sequence;
        private VolumeId volume;

        FakeDatanode(DatanodeId id) {
            this.id = id;
        }

        void register() {
            DatanodeReport.Register register = new DatanodeReport.Register(
                    id,
                    id.name(),
                    ++sequence,
                    "",
                    Registration.LAYOUT_VERSION,
                    new Address(id.name(), 9866),
                    "/rack",
                    List.of(new DatanodeReport.VolumeOffer(id.name(), CAPACITY)));
            DatanodeReply reply = namenode.datanode(register).join();
            volume = ((DatanodeReply.Registered) reply).volumes().get(id.name());
            namenode.datanode(new DatanodeReport.FullReport(id, id.name(), ++sequence, volume, 1, 0, true, List.of()))
                    .join();
        }

        /** @return what it is to do */
        List<DatanodeOrder> beat() {
            tell();
            DatanodeReply reply = namenode.datanode(new DatanodeReport.Heartbeat(
                            id,
                            id.name(),
                            List.of(new DatanodeReport.VolumeStatus(
                                    volume, VolumeState.HEALTHY, CAPACITY, 0, CAPACITY, 0, 0, 0)),
                            Optional.empty(),
                            Optional.empty()))
                    .join();
            return reply instanceof DatanodeReply.HeartbeatReply heard ? heard.orders() : List.of();
        }

        void finalised(ChunkId chunk, long bytes, long groupLength, int stamp) {
            changes.add(new ChunkChange.Present(
                    volume, new ChunkRecord(chunk, ChunkState.FINALISED, bytes, bytes, groupLength, stamp)));
            if (changes.size() == CHANGES_IN_A_REPORT) {
                tell();
            }
        }

        void tell() {
            if (!changes.isEmpty()) {
                namenode.datanode(new DatanodeReport.ChangeReport(id, id.name(), ++sequence, changes))
                        .join();
                changes.clear();
            }
        }
    }

    /** @param length of the next file, at most that of a group */
    LoadedNamenode(NamenodeSettings settings, RocksSettings rocks, ToLongFunction<Policy> length) throws Exception {
        this.length = length;
        directory = Files.createTempDirectory("ecfs-loaded");
        store = new RocksStore(directory.resolve("store"), rocks);
        MetadataState state = new MetadataState(store);
        namenode = new Namenode(
                environment,
                new Members("nn", Map.of("nn", new Address("nn", 8020))),
                new ForgetfulLog(state),
                state,
                settings);
        while (namenode.clusterId().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        for (int i = 0; i < DATANODES; i++) {
            FakeDatanode datanode = new FakeDatanode(new DatanodeId("dn" + i));
            datanode.register();
            datanodes.put(datanode.id, datanode);
        }
        while (namenode.gauges().join().safeMode()) {
            beat();
            TimeUnit.MILLISECONDS.sleep(100);
        }
        fill("warm", WARM_UP);
    }

    NamespaceReply ask(NamespaceRequest request) {
        return namenode.namespace(ROOT, request).join();
    }

    /** One datanode of those that are alive is never heard of again. */
    DatanodeId silence() {
        DatanodeId dead = datanodes.keySet().iterator().next();
        datanodes.remove(dead);
        return dead;
    }

    /** All that are alive send a heartbeat. */
    List<DatanodeOrder> beat() {
        return datanodes.values().stream()
                .flatMap(datanode -> datanode.beat().stream())
                .toList();
    }

    void fill(String under, int number) {
        ArrayDeque<CompletableFuture<?>> underWay = new ArrayDeque<>();
        ArrayDeque<CompletableFuture<NamespaceReply>> created = new ArrayDeque<>();
        for (int i = 0; i < number; i++) {
            created.add(namenode.namespace(ROOT, create("/" + under + "/" + i / IN_ONE_DIRECTORY + "/file" + i)));
            if (created.size() == UNDER_WAY) {
                underWay.add(finish((NamespaceReply.Created) created.remove().join()));
            }
            if (underWay.size() == UNDER_WAY) {
                underWay.remove().join();
            }
            beatWhenDue();
        }
        created.forEach(file -> underWay.add(finish((NamespaceReply.Created) file.join())));
        underWay.forEach(CompletableFuture::join);
        beat();
    }

    private NamespaceRequest create(String path) {
        return new NamespaceRequest.Create(request(), new FilePath(path), 0644, false, true, Optional.empty());
    }

    private CompletableFuture<? extends Message> finish(NamespaceReply.Created file) {
        Policy of = file.first().policy();
        long length = this.length.applyAsLong(of);
        GroupLayout layout = new GroupLayout(of, length);
        for (ChunkLocation location : file.first().chunks()) {
            ChunkId chunk = location.chunk();
            datanodes
                    .get(location.datanode())
                    .finalised(
                            chunk,
                            layout.chunkBytes(chunk.index()),
                            length,
                            file.first().token().stamp());
        }
        List<ChunkId> chunks =
                file.first().chunks().stream().map(ChunkLocation::chunk).toList();
        return namenode.namespace(
                ROOT,
                new NamespaceRequest.CompleteFile(
                        request(),
                        file.status().inode(),
                        Optional.of(new SealedGroup(file.first().group(), length, chunks)),
                        false));
    }

    private void beatWhenDue() {
        if (System.nanoTime() - beatAt > HEARTBEAT_NANOS) {
            beatAt = System.nanoTime();
            beat();
        }
    }

    private RequestId request() {
        return new RequestId("client", ++requests);
    }

    long onDisk() throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Override
    public void close() throws IOException {
        namenode.close();
        store.close();
        DirectoryTree.delete(directory);
    }

    /** What the heap of this process holds after a collection. */
    static long liveHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}

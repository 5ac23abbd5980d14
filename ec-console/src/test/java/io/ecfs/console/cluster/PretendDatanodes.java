package io.ecfs.console.cluster;

import io.ecfs.datanode.store.Volume;
import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.wire.Await;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.tls.PeerProof;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Many datanodes that keep no byte: they register with a real namenode, beat once a second, report chunks that nobody
 * wrote and rebuild by word alone. For clusters that one machine could not hold. All guarded by this.
 */
final class PretendDatanodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int AT_ONCE = 32;
    private static final int CHANGES = 500;
    private static final long CAPACITY = 4L << 40;

    private final Address namenode;
    private final WireLoops loops = WireLoops.open("pretend", 1);
    private final WireClient wire;
    private final Map<DatanodeId, WireClient> wires = new TreeMap<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Map<DatanodeId, Datanode> all = new TreeMap<>();
    private long sequence = 1;

    private static final class Datanode {
        private final DatanodeId id;
        private final VolumeId volume;
        private final Map<ChunkId, ChunkRecord> chunks = new TreeMap<>();
        private final Deque<ChunkChange> changes = new ArrayDeque<>();
        private long bytes;
        private boolean alive = true;

        private Datanode(DatanodeId id, VolumeId volume) {
            this.id = id;
            this.volume = volume;
        }

        private void put(ChunkRecord record, Optional<RebuildWork> work) {
            if (chunks.put(record.chunk(), record) == null) {
                bytes += record.bytes();
            }
            changes.add(new ChunkChange.Present(volume, record, work));
        }
    }

    /** @param token the cluster's join token */
    PretendDatanodes(Address namenode, Path token, int count) throws IOException {
        this.namenode = namenode;
        PeerProof proof =
                new PeerProof(JoinTokenFile.read(token), RealEnvironment.open().randomness(), () -> false);
        String user = System.getProperty("user.name");
        Greeting.Hello hello = new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", user, List.of("supergroup"), "client");
        this.wire = new WireClient(loops, WireOptions.defaults(), () -> hello);
        for (int i = 0; i < count; i++) {
            DatanodeId id = new DatanodeId(String.format("sim%03d", i));
            String role = PeerIdentity.DATANODE + id;
            wires.put(
                    id,
                    new WireClient(
                            loops,
                            WireOptions.defaults(),
                            () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", role, List.of(), role),
                            proof));
            DatanodeReport.Register register = new DatanodeReport.Register(
                    id,
                    "uuid-" + i,
                    ++sequence,
                    "",
                    Volume.LAYOUT_VERSION,
                    new Address("127.0.0.1", 1 + i),
                    "/rack" + i % 10,
                    List.of(new DatanodeReport.VolumeOffer("volume-" + i, CAPACITY)));
            DatanodeReply.Registered registered = (DatanodeReply.Registered) answer(register);
            Datanode one = new Datanode(id, registered.volumes().get("volume-" + i));
            all.put(id, one);
            reportFully(one);
        }
        clock.scheduleAtFixedRate(this::beatAll, 0, 1, TimeUnit.SECONDS);
    }

    private CompletableFuture<Message> ask(Message request) {
        WireClient its = request instanceof DatanodeReport report ? wires.get(report.datanode()) : wire;
        return its.call(namenode, request, PATIENCE).thenApply(envelope -> {
            Message head = envelope.head();
            envelope.release();
            return head;
        });
    }

    private Message answer(Message request) throws IOException {
        return Await.result(ask(request));
    }

    private static String uuid(Datanode one) {
        return "uuid-" + Integer.parseInt(one.id.name().substring(3));
    }

    private synchronized void reportFully(Datanode one) {
        one.changes.clear();
        tell(new DatanodeReport.FullReport(
                one.id, uuid(one), ++sequence, one.volume, sequence, 0, true, List.copyOf(one.chunks.values())));
    }

    /** What is lost comes again: the namenode asks for a full report when it misses something. */
    private void tell(Message report) {
        CompletableFuture<Message> unused = ask(report);
    }

    private synchronized void beatAll() {
        all.values().stream().filter(one -> one.alive).forEach(this::beat);
    }

    private void beat(Datanode one) {
        while (!one.changes.isEmpty()) {
            List<ChunkChange> page = new ArrayList<>();
            while (!one.changes.isEmpty() && page.size() < CHANGES) {
                page.add(one.changes.remove());
            }
            tell(new DatanodeReport.ChangeReport(one.id, uuid(one), ++sequence, page));
        }
        long busy = 1L + one.volume.value() % 7;
        DatanodeReport.Heartbeat beat = new DatanodeReport.Heartbeat(
                one.id,
                uuid(one),
                List.of(new DatanodeReport.VolumeStatus(
                        one.volume,
                        VolumeState.HEALTHY,
                        CAPACITY,
                        one.bytes,
                        CAPACITY - one.bytes,
                        one.chunks.size(),
                        (int) busy,
                        0)),
                Optional.of(new DatanodeLoad((int) (100 * busy), busy << 20, busy << 18, 100 * busy, 50 * busy)),
                Optional.empty());
        CompletableFuture<Void> unused = ask(beat).thenAccept(reply -> obey(one, reply));
    }

    private synchronized void obey(Datanode one, Message reply) {
        if (!(reply instanceof DatanodeReply.HeartbeatReply heard)) {
            return;
        }
        for (DatanodeOrder order : heard.orders()) {
            if (order instanceof DatanodeOrder.Rebuild rebuild) {
                long bytes = new GroupLayout(rebuild.policy(), rebuild.groupLength())
                        .chunkBytes(rebuild.chunk().index());
                one.put(
                        new ChunkRecord(
                                rebuild.chunk(),
                                ChunkState.FINALISED,
                                bytes,
                                bytes,
                                rebuild.groupLength(),
                                rebuild.token().stamp()),
                        Optional.of(work(rebuild, bytes)));
            } else if (order instanceof DatanodeOrder.Delete delete) {
                one.chunks.remove(delete.chunk());
                one.changes.add(new ChunkChange.Gone(one.volume, delete.chunk()));
            } else if (order instanceof DatanodeOrder.ReportFully) {
                reportFully(one);
            }
        }
    }

    private static RebuildWork work(DatanodeOrder.Rebuild rebuild, long bytes) {
        List<RebuildWork.Source> sources = rebuild.sources().stream()
                .limit(rebuild.policy().dataChunks())
                .map(source -> new RebuildWork.Source(source.chunk().index(), source.datanode(), bytes))
                .toList();
        return new RebuildWork(
                900,
                new RebuildWork.Phase(300_000, 400),
                new RebuildWork.Phase(100_000, 500),
                new RebuildWork.Phase(100_000, 600),
                new RebuildWork.Phase(200_000, 800),
                bytes * sources.size(),
                bytes,
                sources);
    }

    /** Files of one whole group each, {@code /many/f0 …}. */
    void files(int count, long length) throws IOException {
        for (int from = 0; from < count; from += AT_ONCE) {
            List<CompletableFuture<Void>> some = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + AT_ONCE); i++) {
                some.add(file(i, length));
            }
            Await.result(CompletableFuture.allOf(some.toArray(CompletableFuture[]::new)));
        }
    }

    private CompletableFuture<Void> file(int number, long length) {
        String client = "writer-" + number;
        FilePath path = new FilePath("/many/f" + number);
        return ask(new NamespaceRequest.Create(new RequestId(client, 1), path, 0644, false, true, Optional.empty()))
                .thenCompose(reply -> {
                    NamespaceReply.Created created = (NamespaceReply.Created) reply;
                    return ask(new NamespaceRequest.CompleteFile(
                            new RequestId(client, 2),
                            created.status().inode(),
                            Optional.of(written(created.first(), length))));
                })
                .thenApply(done -> null);
    }

    private synchronized SealedGroup written(LocatedGroup group, long length) {
        GroupLayout layout = new GroupLayout(group.policy(), length);
        for (ChunkLocation chunk : group.chunks()) {
            long bytes = layout.chunkBytes(chunk.chunk().index());
            all.get(chunk.datanode())
                    .put(
                            new ChunkRecord(
                                    chunk.chunk(),
                                    ChunkState.FINALISED,
                                    bytes,
                                    bytes,
                                    length,
                                    group.token().stamp()),
                            Optional.empty());
        }
        return new SealedGroup(
                group.group(),
                length,
                group.chunks().stream().map(ChunkLocation::chunk).toList());
    }

    /** The first so many fall silent. */
    synchronized void die(int count) {
        all.values().stream().limit(count).forEach(one -> one.alive = false);
    }

    @Override
    public void close() {
        clock.shutdownNow();
        wire.close();
        wires.values().forEach(WireClient::close);
        loops.close();
    }
}

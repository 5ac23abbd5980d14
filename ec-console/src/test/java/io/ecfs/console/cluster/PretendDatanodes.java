package io.ecfs.console.cluster;

import io.ecfs.bench.bed.recovery.PretendDatanode;
import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Many {@link PretendDatanode}s of a namenode in another process: they beat once a second and rebuild without taking
 * time. For clusters that one machine could not hold. All guarded by this.
 */
final class PretendDatanodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int AT_ONCE = 32;
    private static final long CAPACITY = 4L << 40;

    private final Address namenode;
    private final WireLoops loops = WireLoops.open("pretend", 1);
    private final WireClient wire;
    private final Map<DatanodeId, WireClient> wires = new TreeMap<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Map<DatanodeId, PretendDatanode> all = new TreeMap<>();

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
            PretendDatanode one =
                    new PretendDatanode(id, "uuid-" + i, CAPACITY, report -> tell(id, report), this::rebuild);
            all.put(id, one);
            Message reply = answer(one.register(new Address("127.0.0.1", 1 + i), "/rack" + i % 10));
            synchronized (this) {
                one.registered((DatanodeReply.Registered) reply);
            }
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

    /** What is lost comes again: the namenode asks for a full report when it misses something. */
    private void tell(DatanodeId id, DatanodeReport report) {
        CompletableFuture<Void> unused = ask(report).thenAccept(reply -> obey(id, (DatanodeReply) reply));
    }

    private synchronized void obey(DatanodeId id, DatanodeReply reply) {
        all.get(id).obey(reply);
    }

    private synchronized void beatAll() {
        all.values().stream().filter(PretendDatanode::alive).forEach(PretendDatanodes::beat);
    }

    private static void beat(PretendDatanode one) {
        long busy = 1L + one.volume().value() % 7;
        one.beat(
                (int) busy,
                Optional.of(new DatanodeLoad((int) (100 * busy), busy << 20, busy << 18, 100 * busy, 50 * busy)));
    }

    /** At once; told with the next heartbeat. */
    private boolean rebuild(PretendDatanode on, DatanodeOrder.Rebuild order) {
        long bytes = new GroupLayout(order.policy(), order.groupLength())
                .chunkBytes(order.chunk().index());
        on.rebuilt(order, work(order, bytes));
        return true;
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
        all.values().stream().limit(count).forEach(PretendDatanode::die);
    }

    @Override
    public void close() {
        clock.shutdownNow();
        wire.close();
        wires.values().forEach(WireClient::close);
        loops.close();
    }
}

package io.ecfs.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ParityCheck.Finding;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.group.Stamps;
import io.ecfs.namenode.log.MemoryQuorum;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.report.DatanodeTable.Silence;
import io.ecfs.namenode.settings.GarbageSettings;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.settings.RecoverySettings;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.wire.Futures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Three namenodes and some datanodes in one thread, on manual time, from one seed. */
public final class TestCluster {
    public static final Policy POLICY = Policy.parse("rs-3-2-4k");
    static final CallerIdentity USER = new CallerIdentity("root", List.of("supergroup"));
    public static final Duration HARD_LIMIT = Duration.ofMinutes(2);
    public static final Duration LEASE_CLOSE_WAIT = Duration.ofSeconds(1);
    static final Duration KEY_LIFE = Duration.ofHours(1);
    public static final int CHUNKS_PER_VOLUME = 100;
    static final Duration SOON = Duration.ofSeconds(30);
    /** Of a file: two stripes and a tail. */
    public static final long LENGTH = 2 * POLICY.stripeBytes() + 777;

    public static final RecoverySettings RECOVERY = new RecoverySettings(
            Duration.ofSeconds(110),
            false,
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(20),
            3,
            2);

    final long seed;
    final RecoverySettings recovery;
    public final ManualTime time;
    public final MemoryQuorum quorum;
    public final TreeMap<String, Namenode> namenodes = new TreeMap<>();
    public final TreeMap<String, MetadataState> states = new TreeMap<>();
    public final TreeMap<String, ScanCountingStore> stores = new TreeMap<>();
    public final TreeMap<Integer, PretendDatanode> datanodes = new TreeMap<>();
    private final Map<String, MetadataLog> logs = new TreeMap<>();
    private final Map<String, Address> addresses = new TreeMap<>();
    /** What checks of parity find, and in which chunks. */
    public Finding parity = Finding.ALIKE;

    public final Set<ChunkId> wrong = new TreeSet<>();
    /** Groups whose checks are begun, and not answered. */
    public final Set<GroupId> heldChecks = new TreeSet<>();

    /** Whether a check that needs a chunk of a failed volume cannot read it. */
    public boolean failedVolumesUnread;

    /** Chunks that have other bytes than their holders say. */
    public final Set<ChunkId> liars = new TreeSet<>();

    /** Chunks that their holders report and do not give. */
    public final Set<ChunkId> unread = new TreeSet<>();

    /** Datanodes that call chunks different that are alike. */
    public final Set<DatanodeId> falseReaders = new TreeSet<>();

    /** What a datanode needs to compare two chunks. */
    public Duration comparing = Duration.ZERO;

    /** Names of namenodes and datanodes that do not prove the join token. */
    public final Set<String> unproved = new TreeSet<>();

    /** Names of datanodes at whose address no process listens. */
    public final Set<String> refusing = new TreeSet<>();

    /** Connections that namenodes opened to datanodes. */
    public final List<Address> connects = new ArrayList<>();

    private final Duration garbageDelay;
    private final MemoryStore.Shelf shelf = new MemoryStore.Shelf();
    private long sequence;

    /** One that repairs nothing, so that what is lost stays lost. */
    public TestCluster(long seed, int datanodes) {
        this(seed, datanodes, RECOVERY.off());
    }

    public TestCluster(long seed, int datanodes, RecoverySettings recovery) {
        this(seed, datanodes, recovery, new CommandCodec());
    }

    /** @param codec of the release of all namenodes */
    public TestCluster(long seed, int datanodes, RecoverySettings recovery, CommandCodec codec) {
        this(seed, datanodes, recovery, codec, Duration.ZERO);
    }

    /** @param garbageDelay for which files that were deleted stay in the facts */
    public TestCluster(long seed, int datanodes, RecoverySettings recovery, CommandCodec codec, Duration garbageDelay) {
        this.seed = seed;
        this.recovery = recovery;
        this.garbageDelay = garbageDelay;
        this.time = new ManualTime(seed);
        Scheduler scheduler = time.scheduler("quorum");
        this.quorum = new MemoryQuorum(scheduler, time.randomness(), Duration.ofMillis(2), 3);
        for (int i = 0; i < 3; i++) {
            addresses.put("nn" + i, new Address("nn" + i, 8020));
            stores.put("nn" + i, new ScanCountingStore(new MemoryStore(shelf)));
            states.put("nn" + i, new MetadataState(stores.get("nn" + i), codec));
        }
        for (int i = 1; i <= datanodes; i++) {
            this.datanodes.put(i, new PretendDatanode(this, i, "rack" + i % 2));
        }
        states.keySet().forEach(this::start);
        elect("nn0");
        time.scheduler("beats")
                .scheduleWithFixedDelay(
                        Duration.ofMillis(10),
                        Duration.ofMillis(500),
                        () -> this.datanodes.values().forEach(PretendDatanode::beat));
    }

    private NamenodeSettings settings() {
        NamenodeSettings defaults = NamenodeSettings.defaults(POLICY, "root");
        return new NamenodeSettings(
                POLICY,
                "root",
                new Silence(Duration.ofSeconds(10)),
                Duration.ofSeconds(30),
                HARD_LIMIT,
                Duration.ofSeconds(10),
                LEASE_CLOSE_WAIT,
                defaults.safeModeThreshold(),
                defaults.safeModeDatanodes(),
                defaults.safeModeExtension(),
                defaults.minFreeBytes(),
                CHUNKS_PER_VOLUME,
                defaults.deletesPerHeartbeat(),
                defaults.purgeBudget(),
                new GarbageSettings(garbageDelay),
                Duration.ofMinutes(10),
                KEY_LIFE,
                Duration.ofMinutes(1),
                defaults.tick(),
                recovery,
                defaults.balance(),
                defaults.mover(),
                defaults.parityCheck(),
                defaults.rewrite(),
                defaults.history());
    }

    public void start(String id) {
        MetadataLog log = quorum.join(id, addresses.get(id), states.get(id));
        logs.put(id, log);
        namenodes.put(
                id,
                new Namenode(
                        time.environment(),
                        new Members(id, addresses, this::ask),
                        log,
                        states.get(id),
                        settings(),
                        this::refused));
    }

    private CompletableFuture<Boolean> refused(Address datanode) {
        connects.add(datanode);
        return CompletableFuture.completedFuture(refusing.contains(datanode.host()));
    }

    /** The datanode's connection to the leader is closed, by whatever. */
    public void closeConnection(PretendDatanode datanode) {
        namenodes.get(leader()).connectionClosed(datanode.id);
    }

    /** A namenode that is up answers another one. */
    private CompletableFuture<NamespaceReply.NamenodeState> ask(String id, NamespaceRequest.GetNamenodeState question) {
        Namenode other = namenodes.get(id);
        return other == null
                ? CompletableFuture.failedFuture(
                        new EcfsException(ErrorCode.UNREACHABLE, "namenode " + id + " is down"))
                : other.handle(new CallerIdentity("root", List.of()), !unproved.contains(id), question)
                        .thenApply(NamespaceReply.NamenodeState.class::cast);
    }

    /** Starts a namenode that is down with the release of {@code codec}, on what its disk has. */
    public void startAs(String id, CommandCodec codec) {
        states.put(id, new MetadataState(stores.get(id), codec));
        start(id);
    }

    public void crash(String id) {
        quorum.crash(id);
        namenodes.remove(id).close();
    }

    /** A copy of what all namenodes have, under a name. */
    public void copyStates(Path name) {
        await(() ->
                states.values().stream().map(MetadataState::applied).distinct().count() == 1);
        stores.forEach((id, store) -> store.checkpoint(name.resolve(id)));
    }

    /**
     * All namenodes die, and come back with the copy; datanodes and what is on them stay.
     *
     * @param restored as {@code ecfs namenode restore} does it
     */
    public void rollBack(Path copy, boolean restored) {
        List.copyOf(namenodes.keySet()).forEach(this::crash);
        time.advance(Duration.ofSeconds(1));
        stores.forEach((id, store) -> {
            store.install(copy.resolve(id));
            if (restored) {
                try (Transaction transaction = store.begin()) {
                    Stamps.beginEpoch(transaction);
                    transaction.commit();
                }
            }
            states.put(id, new MetadataState(store));
        });
        quorum.rollBack(states.firstEntry().getValue().applied().index());
        states.keySet().forEach(this::start);
        elect("nn1");
        ready();
    }

    /** A whole file of another policy than the usual one. */
    public NamespaceReply.Created file(String path, long length, Policy policy) {
        NamespaceReply.Created created = (NamespaceReply.Created) call(new NamespaceRequest.Create(
                request("writer"), new FilePath(path), 0644, false, true, Optional.of(policy)));
        complete("writer", created.status().inode(), write(created.first(), length, policy.chunks()));
        return created;
    }

    /** The state of one namenode becomes that of another one, by a checkpoint. */
    public void install(String from, String into) {
        Path checkpoint = Path.of("checkpoint" + ++sequence);
        states.get(from).checkpoint(checkpoint);
        states.get(into).install(checkpoint);
    }

    public void elect(String id) {
        quorum.elect(id);
    }

    public void await(BooleanSupplier condition) {
        await(condition, SOON);
    }

    public void await(BooleanSupplier condition, Duration atMost) {
        time.until(condition, atMost);
    }

    /** A cluster that takes writes. */
    public TestCluster ready() {
        await(() -> datanodes.values().stream().allMatch(PretendDatanode::registered));
        await(() -> !report().safeMode());
        time.advance(Duration.ofSeconds(2));
        return this;
    }

    public RequestId request(String client) {
        return new RequestId(client, ++sequence);
    }

    /** As a client does it: tries again, at the leader, what may succeed later. */
    public NamespaceReply call(NamespaceRequest request) {
        long deadline = time.nanos() + SOON.toNanos();
        while (true) {
            CompletableFuture<NamespaceReply> answer = send(quorum.leader().orElseThrow(), request);
            await(answer::isDone);
            if (!answer.isCompletedExceptionally()
                    || time.nanos() > deadline
                    || !failure(answer).code().retryable()) {
                return result(answer);
            }
            time.advance(Duration.ofMillis(100));
        }
    }

    public CompletableFuture<NamespaceReply> send(String namenode, NamespaceRequest request) {
        return namenodes.get(namenode).namespace(USER, request);
    }

    public <T> T result(CompletableFuture<T> answer) {
        await(answer::isDone);
        return answer.join();
    }

    public EcfsException failure(CompletableFuture<?> answer) {
        await(answer::isDone);
        assertThat(answer).isCompletedExceptionally();
        return (EcfsException)
                answer.handle((value, failure) -> Futures.cause(failure)).join();
    }

    public ClusterReport report() {
        return ((NamespaceReply.Report) call(new NamespaceRequest.GetReport())).report();
    }

    public ClusterReport.Groups groups() {
        return report().groups();
    }

    public FileStatus status(String path) {
        return ((NamespaceReply.Status) call(new NamespaceRequest.GetStatus(new FilePath(path)))).status();
    }

    /** What the leader says no with. */
    public EcfsException refusal(NamespaceRequest request) {
        return failure(send(leader(), request));
    }

    public NamespaceReply.Created create(String client, String path) {
        return (NamespaceReply.Created) call(
                new NamespaceRequest.Create(request(client), new FilePath(path), 0644, false, true, Optional.empty()));
    }

    /** Puts the chunk of every index below {@code count} where it belongs, finished. */
    public SealedGroup write(LocatedGroup group, long length, int count) {
        GroupLayout layout = new GroupLayout(group.policy(), length);
        for (ChunkLocation chunk : group.chunks().subList(0, count)) {
            long bytes = layout.chunkBytes(chunk.chunk().index());
            at(chunk).put(new ChunkRecord(chunk.chunk(), ChunkState.FINALISED, bytes, bytes, length, Stamp.NONE));
        }
        return new SealedGroup(
                group.group(),
                length,
                group.chunks().subList(0, count).stream()
                        .map(ChunkLocation::chunk)
                        .toList());
    }

    /** Fills the target of a rewrite. */
    List<ChunkId> fill(DatanodeOrder.Rewrite order) {
        DatanodeOrder.Rewrite.Group target = order.target();
        LocatedGroup group =
                new LocatedGroup(target.group(), target.policy(), LocatedGroup.OPEN, target.chunks(), target.token());
        return write(group, order.length(), target.chunks().size()).finished();
    }

    /** Puts open chunks of so many full stripes. */
    public void writeOpen(LocatedGroup group, long... stripes) {
        for (int i = 0; i < stripes.length; i++) {
            ChunkLocation chunk = group.chunks().get(i);
            long bytes = stripes[i] * group.policy().cellBytes();
            at(chunk).put(new ChunkRecord(chunk.chunk(), ChunkState.BEING_WRITTEN, bytes, bytes, -1, Stamp.NONE));
        }
    }

    public PretendDatanode at(ChunkLocation chunk) {
        return datanodes.values().stream()
                .filter(d -> d.id.equals(chunk.datanode()))
                .findFirst()
                .orElseThrow();
    }

    public void complete(String client, InodeId file, SealedGroup last) {
        call(new NamespaceRequest.CompleteFile(request(client), file, Optional.of(last)));
    }

    /** A closed file of one whole group. */
    public NamespaceReply.Created file(String path, long length) {
        NamespaceReply.Created created = create("writer", path);
        complete("writer", created.status().inode(), write(created.first(), length, POLICY.chunks()));
        return created;
    }

    /** Updates a closed file with one patch group of this length, and closes it. */
    public GroupId update(String path, long length) {
        NamespaceReply.Updating opened = (NamespaceReply.Updating)
                call(new NamespaceRequest.OpenUpdate(request("writer"), new FilePath(path), 7));
        InodeId file = opened.status().inode();
        LocatedGroup group = ((NamespaceReply.Allocated)
                        call(new NamespaceRequest.AddGroup(request("writer"), file, Optional.empty(), List.of())))
                .group();
        complete("writer", file, write(group, length, POLICY.chunks()));
        return group.group();
    }

    /** Closed files of the same length that share one sealed group. */
    public GroupId pack(List<String> paths, long length) {
        List<InodeId> files = paths.stream().map(this::createWithoutGroup).toList();
        NamespaceReply.Created opened = (NamespaceReply.Created)
                call(new NamespaceRequest.OpenPack(request("writer"), files.get(0), List.of()));
        GroupId group = opened.first().group();
        InodeId pack = opened.status().inode();
        List<PackedFile> packed = new ArrayList<>();
        for (InodeId file : files) {
            packed.add(new PackedFile(file, List.of(new PackedFile.Piece(group, packed.size() * length, length))));
        }
        call(new NamespaceRequest.CommitFiles(request("writer"), pack, packed));
        complete("writer", pack, write(opened.first(), packed.size() * length, POLICY.chunks()));
        return group;
    }

    private InodeId createWithoutGroup(String path) {
        NamespaceRequest.Create create =
                new NamespaceRequest.Create(request("writer"), new FilePath(path), 0644, false, true, Optional.empty());
        return ((NamespaceReply.Status) call(new NamespaceRequest.CreateWithoutGroup(create)))
                .status()
                .inode();
    }

    public NamespaceReply.Located locate(String path) {
        return (NamespaceReply.Located) call(new NamespaceRequest.Locate(new FilePath(path), 0, Long.MAX_VALUE));
    }

    /** The history has these now, as if a leader had noted them. */
    public void record(List<ClusterEvent> events) {
        List<Command.Noted> noted = events.stream()
                .map(event -> new Command.Noted(time.epochMillis(), event))
                .toList();
        result(logs.get(leader())
                .propose(new CommandCodec()
                        .encode(new Command.RecordEvents(
                                time.epochMillis(), settings().history(), noted))));
    }

    /** With which the newest state allocated it; 0: never. */
    int stampOf(GroupId group) {
        return states.values().stream()
                .mapToInt(state -> {
                    try (MetadataView view = state.view()) {
                        return view.stampOf(group).orElse(0);
                    }
                })
                .filter(stamp -> stamp != 0)
                .findFirst()
                .orElse(0);
    }

    /** What a leader of another release would propose. */
    public void propose(byte[] command) {
        var unused = logs.get(leader()).propose(command);
    }

    public MetadataView facts(String namenode) {
        return states.get(namenode).view();
    }

    public void delete(String path) {
        call(new NamespaceRequest.Delete(request("writer"), new FilePath(path), true));
    }

    public String leader() {
        return quorum.leader().orElseThrow();
    }

    public long garbage() {
        try (MetadataView view = facts(quorum.leader().orElseThrow())) {
            return datanodes.values().stream()
                    .filter(PretendDatanode::registered)
                    .mapToLong(d ->
                            view.garbageOn(d.volume(), Optional.empty(), 1000).size())
                    .sum();
        }
    }
}

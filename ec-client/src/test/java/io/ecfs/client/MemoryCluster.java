package io.ecfs.client;

import io.ecfs.buffer.BufferPool;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A cluster that keeps the message contract in memory, on one thread of its own, with faults where a test wants them.
 * Payloads of answers are lent from a poisoning pool, so that a leak or a late use shows.
 */
public final class MemoryCluster implements Caller {
    /** What becomes of one request. */
    public sealed interface Fate {
        record Answered() implements Fate {}

        /** The peer refuses. */
        record Fails(ErrorCode code) implements Fate {}

        /** It is done, and the answer gets lost. */
        record AnswerLost() implements Fate {}

        /** Nobody answers until the call's timeout. */
        record Hangs() implements Fate {}

        record Late(Duration delay) implements Fate {}

        /** One bit of the answer's payload is flipped on its way. */
        record Flipped(int bit) implements Fate {}
    }

    private static final Fate ANSWERED = new Fate.Answered();

    private final TestClock clock = new TestClock();
    public final Environment environment = clock.environment();
    public final Address leader = new Address("nn0", 1);
    private final Scheduler thread = environment.threads().scheduler("memory-cluster");

    /** Of payloads that nobody has taken yet. */
    private final Set<Runnable> releases = ConcurrentHashMap.newKeySet();

    private final BufferPool answers = new BufferPool("answers", Long.MAX_VALUE, true);
    private final Map<DatanodeId, Address> addresses = new LinkedHashMap<>();
    private final Map<Address, MemoryDatanode> datanodes = new LinkedHashMap<>();
    private final MemoryNamenode namenode;
    private final List<ChunkRequest> chunkRequests = new ArrayList<>();
    private final AtomicInteger messagesOfReads = new AtomicInteger();
    private final AtomicInteger readsGivenUp = new AtomicInteger();
    private final List<Address> opens = new ArrayList<>();
    private final Set<Address> down = new HashSet<>();
    private volatile Function<Message, Fate> fates = request -> ANSWERED;
    private volatile Function<Address, Fate> namenodeFates = address -> ANSWERED;
    private volatile Function<Address, Fate> datanodeFates = address -> ANSWERED;

    /** The real clock until it is held. */
    private static final class TestClock implements Clock {
        private final Environment real = RealEnvironment.open();
        private volatile OptionalLong heldNanos = OptionalLong.empty();

        Environment environment() {
            return new Environment(this, real.randomness(), real.threads());
        }

        @Override
        public long nanos() {
            OptionalLong held = heldNanos;
            return held.isPresent() ? held.getAsLong() : real.clock().nanos();
        }

        @Override
        public long epochMillis() {
            return real.clock().epochMillis();
        }
    }

    /** Stops the monotonic clock. */
    public void holdClock() {
        clock.heldNanos = OptionalLong.of(clock.nanos());
    }

    /** Advances the monotonic clock, and stops it there; timers do not see it. */
    public void advanceClock(Duration by) {
        clock.heldNanos = OptionalLong.of(clock.nanos() + by.toNanos());
    }

    public MemoryCluster(int datanodeCount) {
        for (int i = 0; i < datanodeCount; i++) {
            Address address = new Address("dn" + i, 100 + i);
            addresses.put(new DatanodeId("dn" + i), address);
            datanodes.put(address, new MemoryDatanode(answers));
        }
        namenode = new MemoryNamenode(addresses);
        namenode.namenodes = List.of(leader);
    }

    public ClusterUri uri() {
        return new ClusterUri(List.of(leader));
    }

    /** Runs on the cluster's thread, where its state may be touched. */
    public <T> T on(Function<MemoryCluster, T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(work.apply(this));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    public MemoryNamenode namenode() {
        return namenode;
    }

    public void setDefaultPolicy(io.ecfs.layout.Policy policy) {
        on(c -> namenode.defaultPolicy = policy);
    }

    public MemoryDatanode datanode(Address address) {
        return datanodes.get(address);
    }

    /** Decides what becomes of every later request to a datanode or of a client to the namenode. */
    public void fate(Function<Message, Fate> decision) {
        fates = decision;
    }

    /** Decides what becomes of every later request by the namenode's address. */
    public void namenodeFate(Function<Address, Fate> decision) {
        namenodeFates = decision;
    }

    /** Decides what becomes of every later request by the datanode's address. */
    public void datanodeFate(Function<Address, Fate> decision) {
        datanodeFates = decision;
    }

    public void heal() {
        fates = request -> ANSWERED;
        datanodeFates = address -> ANSWERED;
        on(c -> {
            down.clear();
            return null;
        });
    }

    /** Takes the datanodes that hold these chunks of a group away. */
    public void stopHolders(GroupId group, Set<Integer> indexes) {
        on(c -> {
            namenode.groups.get(group).chunks().stream()
                    .filter(l -> indexes.contains(l.chunk().index()))
                    .forEach(l -> down.add(l.address()));
            return null;
        });
    }

    public void stop(Address address) {
        on(c -> down.add(address));
    }

    /** Requests to datanodes since the last call. */
    public List<ChunkRequest> takeChunkRequests() {
        return on(c -> {
            List<ChunkRequest> taken = List.copyOf(chunkRequests);
            chunkRequests.clear();
            return taken;
        });
    }

    /** How often this datanode was asked to open a chunk since the last call for any datanode. */
    public long takeOpens(Address datanode) {
        return on(c -> {
            long count = opens.stream().filter(datanode::equals).count();
            opens.clear();
            return count;
        });
    }

    /** Answers whose payload somebody holds. */
    public long loans() {
        return answers.loans();
    }

    @Override
    public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        messagesOfReads.addAndGet(request instanceof ChunkRequest.ReadChunk ? 1 : 0);
        return deliver(to, request, payload, timeout);
    }

    @Override
    public List<CompletableFuture<Envelope>> callAll(Address to, List<ChunkRequest.ReadChunk> reads, Duration timeout) {
        messagesOfReads.incrementAndGet();
        return reads.stream()
                .map(read -> deliver(to, read, Unpooled.EMPTY_BUFFER, timeout))
                .toList();
    }

    /** Reads of chunks whose caller did not wait for their answer any more, since the last call. */
    public int takeReadsGivenUp() {
        return readsGivenUp.getAndSet(0);
    }

    /** Messages that asked for bytes of chunks, of one or several, since the last call. */
    public int takeMessagesOfReads() {
        return messagesOfReads.getAndSet(0);
    }

    private CompletableFuture<Envelope> deliver(Address to, Message request, ByteBuf payload, Duration timeout) {
        CompletableFuture<Envelope> result = new CompletableFuture<>();
        if (request instanceof ChunkRequest.ReadChunk) {
            result.whenComplete((answer, failure) -> readsGivenUp.addAndGet(result.isCancelled() ? 1 : 0));
        }
        Runnable release = untilClosed(payload::release);
        thread.execute(() -> {
            try {
                receive(to, request, payload, timeout, result);
            } catch (EcfsException e) {
                result.completeExceptionally(e);
            } finally {
                release.run();
            }
        });
        return result;
    }

    /** The same release, which the end of the cluster runs as well when nobody did before. */
    private Runnable untilClosed(Runnable release) {
        Runnable once = new Runnable() {
            @Override
            public void run() {
                if (releases.remove(this)) {
                    release.run();
                }
            }
        };
        releases.add(once);
        return once;
    }

    @Override
    public void close() {
        thread.close();
        releases.forEach(Runnable::run);
    }

    private void receive(
            Address to, Message request, ByteBuf payload, Duration timeout, CompletableFuture<Envelope> result)
            throws EcfsException {
        boolean toNamenode = request instanceof NamespaceRequest;
        if (down.contains(to)) {
            throw new EcfsException(ErrorCode.UNREACHABLE, to + " is down");
        }
        if (request instanceof ChunkRequest.OpenChunk) {
            opens.add(to);
        }
        Fate fate = toNamenode ? namenodeFates.apply(to) : datanodeFates.apply(to);
        if (fate instanceof Fate.Answered) {
            fate = fates.apply(request);
        }
        if (fate instanceof Fate.Fails fails) {
            throw new EcfsException(
                    fails.code(),
                    to + " was told to fail",
                    fails.code() == ErrorCode.NOT_LEADER ? leader.toString() : "",
                    null);
        } else if (fate instanceof Fate.Hangs) {
            if (!toNamenode) {
                if (request instanceof ChunkRequest toDatanode) {
                    chunkRequests.add(toDatanode);
                }
            }
            lose(to, timeout, result);
            return;
        }
        Envelope answer = answer(to, request, payload);
        if (fate instanceof Fate.AnswerLost) {
            answer.release();
            lose(to, timeout, result);
        } else if (fate instanceof Fate.Late late) {
            Runnable release = untilClosed(answer::release);
            thread.schedule(late.delay(), () -> {
                if (result.complete(answer)) {
                    releases.remove(release);
                } else {
                    release.run();
                }
            });
        } else {
            if (fate instanceof Fate.Flipped flipped) {
                ByteBuf bytes = answer.payload();
                int at = bytes.readerIndex() + Math.floorMod(flipped.bit() / 8, bytes.readableBytes());
                bytes.setByte(at, bytes.getByte(at) ^ (1 << (flipped.bit() % 8)));
            }
            give(answer, result);
        }
    }

    private void lose(Address to, Duration timeout, CompletableFuture<Envelope> result) {
        thread.schedule(
                timeout,
                () -> result.completeExceptionally(
                        new EcfsException(ErrorCode.TIMEOUT, "no answer from " + to + " in " + timeout)));
    }

    private static void give(Envelope answer, CompletableFuture<Envelope> result) {
        if (!result.complete(answer)) {
            answer.release();
        }
    }

    private Envelope answer(Address to, Message request, ByteBuf payload) throws EcfsException {
        if (request instanceof NamespaceRequest toNamenode) {
            return Envelope.of(namenode.answer(toNamenode));
        }
        if (request instanceof VolumeLoad.Ask ask) {
            return Envelope.of(new VolumeLoad.Reply(ask.volume(), 0));
        }
        chunkRequests.add((ChunkRequest) request);
        return datanodes.get(to).answer((ChunkRequest) request, payload);
    }

    /** The bytes of a chunk wherever it lies. */
    public MemoryDatanode.Chunk chunk(ChunkId id) {
        return datanodes.values().stream()
                .map(d -> d.chunks.get(id))
                .filter(c -> c != null)
                .findFirst()
                .orElseThrow();
    }

    public Address addressOf(int datanode) {
        return addresses.get(new DatanodeId("dn" + datanode));
    }

    /** Whether all chunks, of which there are some, are on disk as far as they go. */
    public boolean allSynced() {
        List<MemoryDatanode.Chunk> chunks = datanodes.values().stream()
                .flatMap(datanode -> datanode.chunks.values().stream())
                .toList();
        return !chunks.isEmpty() && chunks.stream().allMatch(chunk -> chunk.synced);
    }

    /** As repair does it: the first chunks of a group go to datanodes that had none of it, as new generations. */
    public void move(GroupId id, int count) {
        LocatedGroup group = namenode.groups.get(id);
        List<DatanodeId> free = new ArrayList<>(addresses.keySet());
        group.chunks().forEach(c -> free.remove(c.datanode()));
        List<ChunkLocation> places = new ArrayList<>(group.chunks());
        for (int i = 0; i < count; i++) {
            ChunkLocation old = places.get(i);
            DatanodeId datanode = free.remove(0);
            ChunkId next = new ChunkId(id, old.chunk().index(), old.chunk().generation() + 1);
            MemoryDatanode.Chunk chunk = datanodes.get(old.address()).chunks.remove(old.chunk());
            datanodes.get(addresses.get(datanode)).chunks.put(next, chunk);
            places.set(
                    i,
                    new ChunkLocation(next, old.volume(), datanode, addresses.get(datanode), old.rack(), old.state()));
        }
        namenode.groups.put(id, new LocatedGroup(id, group.policy(), group.length(), places, group.token()));
    }

    /** All datanodes delete the chunks of a group. */
    public void forget(GroupId group) {
        datanodes
                .values()
                .forEach(d -> d.chunks.keySet().removeIf(c -> c.group().equals(group)));
    }
}

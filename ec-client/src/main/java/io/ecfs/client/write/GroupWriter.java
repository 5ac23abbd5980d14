package io.ecfs.client.write;

import io.ecfs.client.write.WrittenChunk.State;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ChunkRequest;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.LocatedGroup;
import io.ecfs.message.SealedGroup;
import io.ecfs.message.TailRecord;
import io.ecfs.transfer.ChunkClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One group being written: what was sent to each chunk, what is answered, who failed.
 *
 * <pre>
 *              put  /---------------------------\
 *   a chunk    PLANNED --&gt; OPENING --&gt; OPEN --&gt; FINISHING --&gt; FINISHED
 *                             \----------\-----------\--------&gt; FAILED   (and stays so)
 * </pre>
 *
 * Owned by the client's owner thread, as {@link FileWriter} is; calls answer with events.
 */
final class GroupWriter {
    /** A stripe whose cells are on their way; it is closed when the last of them is answered. */
    static final class Sent {
        private final Stripe stripe;
        private final long begin;
        private int waiting;

        private Sent(Stripe stripe, long begin) {
            this.stripe = stripe;
            this.begin = begin;
        }
    }

    private final LocatedGroup located;
    private final long writer;
    private final ChunkClient client;
    private final WriteTimes times;
    private final Consumer<WriteEvent> events;
    private final SortedMap<Integer, WrittenChunk> chunks = new TreeMap<>();
    private final GroupTail tail;
    private long length;
    private boolean tailSent;
    private long exchangeBegan;
    private Optional<Stripe> put = Optional.empty();
    private boolean syncing;
    private boolean promising;

    /** @param writer a random number that fences this writer's chunks from any other's */
    GroupWriter(LocatedGroup located, long writer, ChunkClient client, WriteTimes times, Consumer<WriteEvent> events) {
        this.located = located;
        this.writer = writer;
        this.client = client;
        this.times = times;
        this.events = events;
        this.tail = new GroupTail(located.policy());
        located.chunks().forEach(location -> chunks.put(location.chunk().index(), new WrittenChunk(location)));
    }

    LocatedGroup located() {
        return located;
    }

    /** User bytes sent. */
    long length() {
        return length;
    }

    /** What would be {@link #enough}, for messages: of some codes it depends on which chunks they are. */
    String required() {
        CodeSpec code = located.policy().code();
        boolean any = code.survivedLosses() == code.parityChunks();
        return "at least " + (code.dataChunks() + 1) + (any ? "" : ", any one of which can be lost,");
    }

    /** Whether the chunks that live may be acknowledged: they still give all bytes when any one of them is lost. */
    boolean enough() {
        return redundant(chunks.values().stream().filter(WrittenChunk::lives));
    }

    private boolean redundant(Stream<WrittenChunk> some) {
        List<Integer> indexes = some.map(c -> c.location.chunk().index()).toList();
        return located.policy().code().redundant(ChunkSet.of(indexes));
    }

    /** Nothing can be added: the group is full, or its tail is written. */
    boolean full() {
        return tailSent || length == located.policy().groupBytes();
    }

    /**
     * Makes and publishes all chunks in one message each, of a group that is this stripe. It belongs to the group until {@link #takeBack}.
     *
     * @param without as in {@link #open}
     */
    void put(Stripe stripe, boolean sync, Set<DatanodeId> without) {
        put = Optional.of(stripe);
        length = stripe.bytes();
        tailSent = !stripe.full();
        syncing = sync;
        exchangeBegan = times.now();
        leaveOut(without);
        planned((index, chunk) -> {
            chunk.become(State.FINISHING, "put");
            chunk.sentBytes = stripe.storedBytes(index);
            ChunkRequest.PutChunk message = new ChunkRequest.PutChunk(
                    chunk.location.chunk(),
                    chunk.location.volume(),
                    located.policy(),
                    writer,
                    stripe.storedBytes(index),
                    length,
                    sync,
                    located.token());
            ask(
                    chunk,
                    client.put(chunk.location.address(), message, stripe.share(index)),
                    failure -> new WriteEvent.Put(this, index, failure));
        });
    }

    void putAnswered(int index, Optional<EcfsException> failure) {
        published(index, failure);
        if (!finishing()) {
            times.stripeExchangedSince(exchangeBegan);
        }
    }

    /** The stripe that was put, once every datanode has answered. */
    Stripe takeBack() {
        Invariant.check(!finishing(), "the stripe of %s is taken back while it is on its way", located.group());
        Stripe stripe = put.orElseThrow();
        put = Optional.empty();
        return stripe;
    }

    /** Lets go of the stripe that was put, once every datanode has answered, unless it was taken back. */
    void letGo() {
        if (!finishing()) {
            put.ifPresent(Stripe::close);
            put = Optional.empty();
        }
    }

    /** Whether what was allocated is enough without these datanodes. */
    boolean enoughWithout(Set<DatanodeId> datanodes) {
        return redundant(chunks.values().stream().filter(c -> !datanodes.contains(c.location.datanode())));
    }

    boolean uses(Set<DatanodeId> datanodes) {
        return chunks.values().stream().anyMatch(c -> datanodes.contains(c.location.datanode()));
    }

    boolean planned() {
        return count(State.PLANNED) > 0;
    }

    /** @param without datanodes that are not asked; their chunks stay absent */
    void open(Set<DatanodeId> without) {
        exchangeBegan = times.now();
        leaveOut(without);
        planned((index, chunk) -> {
            chunk.become(State.OPENING, "open");
            ask(
                    chunk,
                    client.open(
                            chunk.location.address(),
                            chunk.location.chunk(),
                            chunk.location.volume(),
                            located.policy(),
                            writer,
                            located.token()),
                    failure -> new WriteEvent.Opened(this, index, failure));
        });
    }

    private void leaveOut(Set<DatanodeId> without) {
        planned((index, chunk) -> {
            if (without.contains(chunk.location.datanode())) {
                chunk.leftOut = true;
                chunk.fail(chunk.silence("left out: it answered nothing a short while ago"));
            }
        });
    }

    private void planned(BiConsumer<Integer, WrittenChunk> work) {
        chunks.forEach((index, chunk) -> {
            if (chunk.state == State.PLANNED) {
                work.accept(index, chunk);
            }
        });
    }

    void opened(int index, Optional<EcfsException> failure) {
        WrittenChunk chunk = answered(index, failure);
        if (chunk.state == State.OPENING) {
            chunk.become(State.OPEN, "opened");
        }
        if (!opening()) {
            times.exchangedSince(exchangeBegan);
        }
    }

    boolean opening() {
        return count(State.OPENING) > 0;
    }

    /** Sends the cells of a stripe to all chunks that live. */
    void send(Stripe stripe) {
        Invariant.check(!full(), "a stripe is sent to %s, which is full", located.group());
        boolean isTail = !stripe.full();
        long groupLength = length + stripe.bytes();
        Sent sent = new Sent(stripe, times.now());
        chunks.forEach((index, chunk) -> {
            int bytes = stripe.storedBytes(index);
            if (chunk.state == State.OPEN && bytes > 0) {
                long offset = chunk.sentBytes;
                chunk.sentBytes += bytes;
                chunk.dirty = true;
                sent.waiting++;
                ask(
                        chunk,
                        client.write(
                                chunk.location.address(),
                                chunk.location.chunk(),
                                writer,
                                offset,
                                stripe.take(index),
                                bytes,
                                isTail ? groupLength : 0),
                        failure -> new WriteEvent.Written(this, index, sent, failure));
            }
        });
        length += stripe.bytes();
        tailSent = isTail;
        tail.stripeSent();
        if (sent.waiting == 0) {
            stripe.close();
        }
    }

    void written(int index, Sent sent, Optional<EcfsException> failure) {
        answered(index, failure);
        if (--sent.waiting == 0) {
            times.stripeExchangedSince(sent.begin);
            sent.stripe.close();
        }
    }

    /** Whether all chunks that live have acknowledged everything. */
    boolean drained() {
        return chunks.values().stream().noneMatch(c -> c.state == State.OPEN && c.unanswered > 0);
    }

    /** What was promised of this group. */
    GroupTail tail() {
        return tail;
    }

    /**
     * Sends the increments of the open stripe as tail records, and has all on disk that is to be; {@link #drained} says when that is done.
     * A sync rides on the last record that a chunk gets.
     */
    void promise(Promise promise) {
        promising = true;
        syncing = promise.sync();
        exchangeBegan = times.now();
        List<Integer> live = open();
        SortedMap<Integer, List<TailSend>> sends = new TreeMap<>();
        for (Increment increment : promise.increments()) {
            TailRecord record = increment.record(tail.nextSequence(), length);
            tail.recordSent();
            tail.holders(live, increment.form(), length)
                    .forEach(index ->
                            sends.computeIfAbsent(index, i -> new ArrayList<>()).add(new TailSend(record, increment)));
        }
        for (int index : live) {
            List<TailSend> mine = sends.getOrDefault(index, List.of());
            for (int i = 0; i < mine.size(); i++) {
                send(index, mine.get(i), promise, promise.sync() && i == mine.size() - 1);
            }
            if (promise.sync() && mine.isEmpty() && chunks.get(index).dirty) {
                promise.asked();
                sync(index, Optional.of(promise));
            }
        }
        promise.sent();
    }

    private record TailSend(TailRecord record, Increment increment) {}

    private List<Integer> open() {
        return chunks.keySet().stream()
                .filter(index -> chunks.get(index).state == State.OPEN)
                .toList();
    }

    private void send(int index, TailSend send, Promise promise, boolean sync) {
        WrittenChunk chunk = chunks.get(index);
        chunk.dirty = !sync;
        promise.asked();
        ChunkRequest.WriteTail message =
                new ChunkRequest.WriteTail(chunk.location.chunk(), writer, send.record, tail.settled(), sync);
        ask(
                chunk,
                client.writeTail(chunk.location.address(), message, send.increment.share(index)),
                failure -> new WriteEvent.Kept(this, index, Optional.of(promise), failure));
    }

    private void sync(int index, Optional<Promise> promise) {
        WrittenChunk chunk = chunks.get(index);
        chunk.dirty = false;
        ask(
                chunk,
                client.sync(chunk.location.address(), chunk.location.chunk(), writer),
                failure -> new WriteEvent.Kept(this, index, promise, failure));
    }

    /** Puts all chunks that live on disk as they are, before they are published; {@link #drained} says when that is done. */
    void settle() {
        syncing = true;
        promising = true;
        exchangeBegan = times.now();
        open().forEach(index -> sync(index, Optional.empty()));
    }

    void kept(int index, Optional<Promise> promise, Optional<EcfsException> failure) {
        answered(index, failure);
        promise.ifPresent(Promise::answered);
        if (drained()) {
            times.exchangedSince(exchangeBegan);
        }
    }

    /** All chunks that live have what was promised. */
    void promised(Promise promise) {
        promising = false;
        syncing = false;
        long end = promise.increments().stream()
                .mapToLong(increment -> increment.record(0, length).end())
                .max()
                .orElse(length);
        tail.kept(length, end, promise.sync());
    }

    void settled() {
        promising = false;
        syncing = false;
        tail.allOnDisk(length);
    }

    /** Publishes all chunks that live. */
    void finish(boolean sync) {
        GroupLayout layout = new GroupLayout(located.policy(), length);
        syncing = sync;
        exchangeBegan = times.now();
        chunks.forEach((index, chunk) -> {
            if (chunk.state == State.OPEN) {
                Invariant.check(
                        chunk.sentBytes == layout.chunkBytes(index),
                        "%s has %d bytes, its group of %d bytes gives it %d",
                        chunk.location.chunk(),
                        chunk.sentBytes,
                        length,
                        layout.chunkBytes(index));
                chunk.become(State.FINISHING, "finish");
                ask(chunk, finishCall(chunk, sync), failure -> new WriteEvent.Finished(this, index, failure));
            }
        });
    }

    void finished(int index, Optional<EcfsException> failure) {
        published(index, failure);
        if (!finishing()) {
            times.exchangedSince(exchangeBegan);
        }
    }

    private void published(int index, Optional<EcfsException> failure) {
        WrittenChunk chunk = answered(index, failure);
        if (chunk.state == State.FINISHING) {
            chunk.become(State.FINISHED, "finished");
        }
    }

    boolean finishing() {
        return count(State.FINISHING) > 0;
    }

    /** Puts the finished chunks on disk; fails when fewer than required are. */
    CompletableFuture<Void> sync() {
        Map<WrittenChunk, CompletableFuture<Boolean>> calls = new LinkedHashMap<>();
        chunks.values().stream()
                .filter(c -> c.state == State.FINISHED)
                .forEach(c -> calls.put(c, finishCall(c, true).handle((reply, failure) -> failure == null)));
        return CompletableFuture.allOf(calls.values().toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> {
                    List<WrittenChunk> synced = calls.keySet().stream()
                            .filter(c -> calls.get(c).join())
                            .toList();
                    return redundant(synced.stream())
                            ? CompletableFuture.completedFuture(null)
                            : CompletableFuture.failedFuture(new EcfsException(
                                    ErrorCode.NO_SPACE,
                                    "group " + located.group() + ": only " + synced.size()
                                            + " of its chunks could be put on disk, " + required()
                                            + " are required"));
                });
    }

    /** Drops what was opened, as far as datanodes can be reached; the namenode takes care of the rest. */
    void abandon() {
        for (WrittenChunk chunk : chunks.values()) {
            if (chunk.state != State.PLANNED && chunk.state != State.FINISHED) {
                client.abort(chunk.location.address(), chunk.location.chunk(), writer);
            }
        }
    }

    /** Chunks that are open or further and have not failed. */
    int live() {
        return (int) chunks.values().stream().filter(WrittenChunk::lives).count();
    }

    /** A chunk that was asked has failed. */
    boolean broken() {
        return chunks.values().stream().anyMatch(c -> c.state == State.FAILED && !c.leftOut);
    }

    /** A datanode has not answered everything. */
    boolean waits() {
        return chunks.values().stream().anyMatch(WrittenChunk::waits);
    }

    /**
     * Gives up the chunks whose datanodes have answered nothing for {@code patience}, if the others are enough: those would wait for
     * them. Their calls are called off, so that the stripes under way end. A disk that syncs may take as long as a call may.
     */
    void giveUpSilent(Duration patience) {
        long now = times.now();
        List<WrittenChunk> silent = chunks.values().stream()
                .filter(c -> c.waits() && now - c.heard >= patience.toNanos())
                .filter(c -> !(syncing && (promising || c.state == State.FINISHING)))
                .toList();
        if (!silent.isEmpty() && redundant(chunks.values().stream().filter(c -> c.lives() && !silent.contains(c)))) {
            for (WrittenChunk chunk : silent) {
                chunk.fail(chunk.silence("answered nothing for " + patience.toMillis() + " ms while others went on"));
                List.copyOf(chunk.calls).forEach(call -> call.cancel(false));
            }
        }
    }

    /** The first failure that tells this writer that somebody else took over. */
    Optional<EcfsException> fenced() {
        return chunks.values().stream()
                .flatMap(c -> c.failure.stream())
                .filter(f -> f.code() == ErrorCode.FENCED)
                .findFirst();
    }

    /** The datanodes that failed since the last call: {@code silent} ones answered nothing, the others refused. */
    List<DatanodeId> newlyFailed(boolean silent) {
        List<WrittenChunk> failed = chunks.values().stream()
                .filter(c -> c.state == State.FAILED && !c.leftOut && !c.told)
                .filter(c -> silent
                        == c.failure.filter(f -> f.code() == ErrorCode.TIMEOUT).isPresent())
                .toList();
        failed.forEach(c -> c.told = true);
        return failed.stream().map(c -> c.location.datanode()).toList();
    }

    /** For messages: who failed and why. */
    String failures() {
        return chunks.values().stream()
                .filter(c -> c.failure.isPresent())
                .map(c -> c.location.chunk() + " on " + c.location.datanode() + " (" + c.location.address() + "): "
                        + c.failure.get().code() + ", " + c.failure.get().getMessage())
                .collect(Collectors.joining("; "));
    }

    /** The writer's word about the group with the chunks that are finished. */
    SealedGroup sealed() {
        List<ChunkId> finished = chunks.values().stream()
                .filter(c -> c.state == State.FINISHED)
                .map(c -> c.location.chunk())
                .toList();
        return new SealedGroup(located.group(), length, length == 0 ? List.of() : finished);
    }

    /** The word that drops the group. */
    SealedGroup dropped() {
        return new SealedGroup(located.group(), 0, List.of());
    }

    /** The group as a reader sees it, at the length that was sent, with the chunks that may still give their bytes. */
    LocatedGroup readable() {
        List<ChunkLocation> locations = new ArrayList<>();
        for (WrittenChunk chunk : chunks.values()) {
            if (chunk.lives()) {
                locations.add(chunk.location);
            }
        }
        return new LocatedGroup(located.group(), located.policy(), length, locations, located.token());
    }

    @Override
    public String toString() {
        return located.group()
                + chunks.values().stream().map(c -> " " + c.state).collect(Collectors.joining());
    }

    private CompletableFuture<?> finishCall(WrittenChunk chunk, boolean sync) {
        return client.finish(chunk.location.address(), chunk.location.chunk(), writer, chunk.sentBytes, length, sync);
    }

    private interface AnswerEvent {
        WriteEvent of(Optional<EcfsException> failure);
    }

    private void ask(WrittenChunk chunk, CompletableFuture<?> call, AnswerEvent event) {
        if (chunk.unanswered++ == 0) {
            chunk.heard = times.now();
        }
        chunk.calls.add(call);
        call.whenComplete((reply, failure) ->
                events.accept(event.of(Optional.ofNullable(failure).map(EcfsException::of))));
    }

    private WrittenChunk answered(int index, Optional<EcfsException> failure) {
        WrittenChunk chunk = chunks.get(index);
        chunk.unanswered--;
        chunk.heard = times.now();
        chunk.calls.removeIf(CompletableFuture::isDone);
        if (failure.isPresent() && chunk.state != State.FAILED) {
            chunk.fail(failure.get());
        }
        return chunk;
    }

    private int count(State state) {
        return (int) chunks.values().stream().filter(c -> c.state == state).count();
    }
}

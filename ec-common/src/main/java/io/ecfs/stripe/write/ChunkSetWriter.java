package io.ecfs.stripe.write;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.WrittenChunk.State;
import io.ecfs.transfer.ChunkClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * One group being written: what was sent to each chunk, what is answered, who failed.
 *
 * {@link WrittenChunk.State} has the table of a chunk's states. Owned by the writer's owner thread.
 */
public final class ChunkSetWriter {
    /** A stripe whose cells are on their way; it is closed when the last of them is answered. */
    private static final class Sent {
        private final Stripe stripe;
        private final long begin;
        private int waiting;
        private ChunkReply last;

        private Sent(Stripe stripe, long begin) {
            this.stripe = stripe;
            this.begin = begin;
        }
    }

    /** Makes the way of a group's stripes. */
    public interface RouteChoice {
        /**
         * @param writer the number that the chunks are opened with
         * @param atFallback called when the way becomes direct
         */
        StripeRoute route(long writer, WriteToken token, Runnable atFallback);
    }

    private final LocatedGroup located;
    private final WriteToken token;
    private final long writer;
    private final ChunkClient client;
    private final WriteTimes.OfPolicy times;
    private final Clock clock;
    private final Executor answers;
    private final WrittenChunks chunks;
    private final ChunkCalls calls;
    private final GroupTail tail;
    private final TailWriter tailWriter;
    private final StripeRoute route;
    private boolean beginning;
    private OptionalLong lastAnswered = OptionalLong.empty();
    private long length;
    private boolean tailSent;
    private Optional<Stripe> put = Optional.empty();
    private boolean putUnwanted;
    private boolean publishesWithSync;

    /**
     * @param writer a random number that fences this writer's chunks from any other's
     * @param answers runs the receivers of answers on the owner thread
     * @param routes makes the way of its stripes
     */
    public ChunkSetWriter(
            LocatedGroup located,
            long writer,
            ChunkClient client,
            WriteTimes times,
            Clock clock,
            Executor answers,
            RouteChoice routes) {
        this.located = located;
        this.writer = writer;
        this.client = client;
        this.chunks = new WrittenChunks(located.policy().code(), located.chunks());
        this.times = times.of(located.policy());
        this.clock = clock;
        this.calls = new ChunkCalls(chunks, clock, this.times, answers);
        this.tail = new GroupTail(located.policy());
        this.token = new WriteToken(located, clock);
        this.tailWriter = new TailWriter(writer, client, chunks, calls, tail, token);
        this.answers = answers;
        this.route = routes.route(writer, token, () -> chunks.waitAnew(clock.nanos()));
    }

    public LocatedGroup located() {
        return located;
    }

    /** Returns whether another encodes the stripes that come next. */
    public boolean relays() {
        return route.relays();
    }

    private WriteSide encodingSide() {
        return relays() ? WriteSide.MASTER : WriteSide.CLIENT;
    }

    /** Messages to its chunks must wait until all cells are answered. */
    public boolean mayBeOvertaken() {
        return route.mayBeOvertaken();
    }

    public WriteToken token() {
        return token;
    }

    /** User bytes sent. */
    public long length() {
        return length;
    }

    /** The state of its chunks, as far as known. */
    public WrittenChunks chunks() {
        return chunks;
    }

    /** Nothing can be added: the group is full, or its tail is written. */
    public boolean full() {
        return tailSent || length == located.policy().groupBytes();
    }

    /**
     * Makes and publishes all chunks in one message each, of a group that is this stripe. It belongs to the group until
     * {@link #takeBack}.
     *
     * @param without as in {@link #open}
     */
    public void put(Stripe stripe, boolean sync, Set<DatanodeId> without) {
        put = Optional.of(stripe);
        length = stripe.bytes();
        tailSent = !stripe.full();
        publishesWithSync = sync;
        calls.beginExchange();
        leaveOut(without);
        chunks.each(State.PLANNED, (index, chunk) -> {
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
                    token.now());
            CompletableFuture<ChunkReply.Finished> call =
                    client.put(chunk.location.address(), message, stripe.share(index));
            calls.ask(chunk, call, failure -> putAnswered(index, call, failure));
        });
    }

    private void putAnswered(int index, CompletableFuture<ChunkReply.Finished> call, Optional<EcfsException> failure) {
        published(index, failure);
        if (!finishing()) {
            calls.endStripeExchange(failure.isPresent() ? Optional.empty() : Optional.of(call.join()), length);
            if (putUnwanted) {
                releasePut();
            }
        }
    }

    /** The stripe that was put, once every datanode has answered. */
    public Stripe takeBack() {
        Invariant.check(!finishing(), "the stripe of %s is taken back while it is on its way", located.group());
        Stripe stripe = put.orElseThrow();
        put = Optional.empty();
        return stripe;
    }

    /** Releases the stripe that was put as soon as every datanode has answered, unless it was taken back. */
    public void releasePutWhenAnswered() {
        putUnwanted = true;
        if (!finishing()) {
            releasePut();
        }
    }

    private void releasePut() {
        put.ifPresent(Stripe::close);
        put = Optional.empty();
    }

    /** @param without datanodes that are not asked; their chunks stay absent */
    public void open(Set<DatanodeId> without) {
        calls.beginExchange();
        leaveOut(without);
        CompletableFuture<Void> begun = route.begin();
        beginning = !begun.isDone();
        if (beginning) {
            begun.whenComplete((ready, failure) -> answers.execute(() -> {
                beginning = false;
                endOpening();
            }));
        }
        chunks.each(State.PLANNED, (index, chunk) -> {
            chunk.become(State.OPENING, "open");
            calls.ask(
                    chunk,
                    client.open(
                            chunk.location.address(),
                            chunk.location.chunk(),
                            chunk.location.volume(),
                            located.policy(),
                            writer,
                            token.now()),
                    failure -> opened(index, failure));
        });
    }

    private void leaveOut(Set<DatanodeId> without) {
        chunks.each(State.PLANNED, (index, chunk) -> {
            if (without.contains(chunk.location.datanode())) {
                chunk.leftOut = true;
                chunk.fail(chunk.silence("left out: it answered nothing a short while ago"));
            }
        });
    }

    private void opened(int index, Optional<EcfsException> failure) {
        WrittenChunk chunk = calls.answered(index, failure);
        if (chunk.state() == State.OPENING) {
            chunk.become(State.OPEN, "opened");
        }
        endOpening();
    }

    private void endOpening() {
        if (!opening()) {
            calls.endExchange(encodingSide(), Optional.empty());
        }
    }

    /** A datanode has not answered everything. */
    public boolean waits() {
        return beginning || chunks.waits();
    }

    public boolean opening() {
        return beginning || chunks.any(State.OPENING);
    }

    /** Sends the cells of a stripe to all chunks that live. */
    public void send(Stripe stripe) {
        Invariant.check(!full(), "a stripe is sent to %s, which is full", located.group());
        boolean isTail = !stripe.full();
        long groupLength = length + stripe.bytes();
        long offset = length / located.policy().dataChunks();
        Sent sent = new Sent(stripe, clock.nanos());
        chunks.each((index, chunk) -> {
            int bytes = stripe.storedBytes(index);
            if (bytes > 0) {
                StripeCell cell = new StripeCell(chunk.location, stripe, offset, bytes, isTail ? groupLength : 0);
                if (chunk.state() == State.OPEN) {
                    send(chunk, cell, sent);
                } else {
                    route.skip(cell);
                }
            }
        });
        length += stripe.bytes();
        tailSent = isTail;
        tail.stripeSent();
        if (sent.waiting == 0) {
            stripe.close();
        }
    }

    private void send(WrittenChunk chunk, StripeCell cell, Sent sent) {
        Invariant.check(
                chunk.sentBytes == cell.offset(),
                "the cell at %d of %s follows %d bytes",
                cell.offset(),
                chunk.location.chunk(),
                chunk.sentBytes);
        chunk.sentBytes += cell.bytes();
        chunk.dirty = true;
        sent.waiting++;
        CompletableFuture<? extends ChunkReply> call = route.write(cell);
        calls.ask(chunk, call, failure -> written(chunk.index(), sent, call, failure));
    }

    private void written(
            int index, Sent sent, CompletableFuture<? extends ChunkReply> call, Optional<EcfsException> failure) {
        calls.answered(index, failure);
        if (failure.isEmpty()) {
            sent.last = call.join();
        }
        if (--sent.waiting == 0) {
            long now = clock.nanos();
            long elapsed = Math.min(now - sent.begin, now - lastAnswered.orElse(sent.begin));
            long bytes = sent.stripe.bytes();
            times.stripeExchanged(now - sent.begin, Optional.ofNullable(sent.last), bytes, elapsed);
            route.stripeAnswered(bytes, elapsed + sent.stripe.encodingNanos());
            lastAnswered = OptionalLong.of(now);
            sent.stripe.close();
        }
    }

    /** Returns whether all chunks that live have acknowledged everything. */
    public boolean drained() {
        return chunks.drained();
    }

    /** The acknowledged bytes of this group. */
    public GroupTail tail() {
        return tail;
    }

    /** The writer of its tail records, by which more of it is acknowledged. */
    public TailWriter tailWriter() {
        return tailWriter;
    }

    /** Publishes all chunks that live. */
    public void finish(boolean sync) {
        GroupLayout layout = new GroupLayout(located.policy(), length);
        publishesWithSync = sync;
        calls.beginExchange();
        chunks.each(State.OPEN, (index, chunk) -> {
            Invariant.check(
                    chunk.sentBytes == layout.chunkBytes(index),
                    "%s has %d bytes, its group of %d bytes gives it %d",
                    chunk.location.chunk(),
                    chunk.sentBytes,
                    length,
                    layout.chunkBytes(index));
            chunk.become(State.FINISHING, "finish");
            CompletableFuture<ChunkReply.Finished> call = finishCall(chunk, sync);
            calls.ask(chunk, call, failure -> finished(index, call, failure));
        });
    }

    private void finished(int index, CompletableFuture<ChunkReply.Finished> call, Optional<EcfsException> failure) {
        published(index, failure);
        if (!finishing()) {
            calls.endExchange(encodingSide(), failure.isPresent() ? Optional.empty() : Optional.of(call.join()));
        }
    }

    private void published(int index, Optional<EcfsException> failure) {
        WrittenChunk chunk = calls.answered(index, failure);
        if (chunk.state() == State.FINISHING) {
            chunk.become(State.FINISHED, "finished");
        }
    }

    public boolean finishing() {
        return chunks.any(State.FINISHING);
    }

    /** Puts the finished chunks on disk; answers with those that are there now. */
    public CompletableFuture<ChunkSet> syncFinished() {
        Map<Integer, CompletableFuture<Boolean>> answers = new LinkedHashMap<>();
        chunks.each(
                State.FINISHED,
                (index, chunk) ->
                        answers.put(index, finishCall(chunk, true).handle((reply, failure) -> failure == null)));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> ChunkSet.of(answers.keySet().stream()
                        .filter(index -> answers.get(index).join())
                        .toList()));
    }

    /**
     * Returns whether a chunk lies where this writer put it; one for which it was given no place was made by others.
     */
    public boolean wroteAt(ChunkLocation place) {
        return located.chunks().stream()
                .anyMatch(mine ->
                        mine.chunk().equals(place.chunk()) && mine.volume().equals(place.volume()));
    }

    /** Drops what was opened, as far as datanodes can be reached; the namenode takes care of the rest. */
    public void abandon() {
        chunks.each((index, chunk) -> {
            if (chunk.state() != State.PLANNED && chunk.state() != State.FINISHED) {
                client.abort(chunk.location.address(), chunk.location.chunk(), writer, token.now());
            }
        });
    }

    /** Gives up chunks whose datanodes have answered nothing for {@code patience}, if the others are enough. */
    public void giveUpSilent(Duration patience) {
        route.giveUpSilent(patience);
        chunks.giveUpSilent(
                clock.nanos(),
                patience,
                chunk -> tailWriter.syncing() || (publishesWithSync && chunk.state() == State.FINISHING));
    }

    /** The group as the namenode seals it, with the chunks that are finished. */
    public SealedGroup sealed() {
        return new SealedGroup(located.group(), length, length == 0 ? List.of() : chunks.finished());
    }

    /** The group without chunks, which the namenode drops. */
    public SealedGroup dropped() {
        return new SealedGroup(located.group(), 0, List.of());
    }

    /** The group as a reader sees it, at the length that was sent, with the chunks that may still give their bytes. */
    public LocatedGroup readable() {
        return new LocatedGroup(located.group(), located.policy(), length, chunks.living(), token.now())
                .in(located.ring());
    }

    @Override
    public String toString() {
        return located.group() + chunks.toString();
    }

    private CompletableFuture<ChunkReply.Finished> finishCall(WrittenChunk chunk, boolean sync) {
        return client.finish(
                chunk.location.address(), chunk.location.chunk(), writer, chunk.sentBytes, length, sync, token.now());
    }
}

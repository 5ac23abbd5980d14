package io.ecfs.datanode.rewrite;

import io.ecfs.code.ErasureCode;
import io.ecfs.datanode.rewrite.SourceParts.Part;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.ChunkSetWriter;
import io.ecfs.stripe.write.DirectRoute;
import io.ecfs.transfer.ChunkBytes;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One group being filled. A stripe is read and encoded while those before it are on their way to the chunks.
 *
 * <pre>
 *   assemble: read parts, fill, until the stripe is full or the bytes end --&gt; ready --send--&gt; answered -.
 *      ^                                                                                               |
 *      `--------------------- while bytes are left, at most 4 MiB, or two stripes ---------------------'
 *   all answered --finish with sync--&gt; all finished --{@link CopyCheck}--&gt; alike: done
 *   anything fails --&gt; chunks aborted, failed
 * </pre>
 *
 * Owned by the thread of {@code owner}; the stripe that is assembled belongs to the workers meanwhile.
 */
final class GroupRewrite {
    /** Bytes of the stripes on their way, and the fewest of those. */
    private static final long BYTES_UNDER_WAY = 4L << 20;

    private static final int FEWEST_STRIPES = 2;

    private final DatanodeOrder.Rewrite order;
    private final Policy policy;
    private final Rewriter shared;
    private final Executor owner;
    private final Consumer<BadChunk> badChunks;
    private final ErasureCode code;
    private final SourceParts parts;
    private final ChunkSetWriter writer;
    private final CompletableFuture<SealedGroup> done = new CompletableFuture<>();
    private Optional<Stripe> ready = Optional.empty();
    private long unread;
    private final long mostStripes;
    private int stripes;
    private boolean assembling;
    private boolean finishing;
    private boolean comparing;

    /** @param writer number that fences the chunks from any other writer's */
    GroupRewrite(
            DatanodeOrder.Rewrite order, long writer, Rewriter shared, Executor owner, Consumer<BadChunk> badChunks) {
        Group target = order.target();
        this.order = order;
        this.policy = target.policy();
        this.shared = shared;
        this.owner = owner;
        this.badChunks = badChunks;
        this.code = shared.codes().of(policy.code());
        this.parts = new SourceParts(order);
        this.mostStripes = Math.max(FEWEST_STRIPES, BYTES_UNDER_WAY / Stripe.memoryBytes(policy));
        this.unread = order.length();
        this.writer = new ChunkSetWriter(
                new LocatedGroup(target.group(), target.policy(), LocatedGroup.OPEN, target.chunks(), target.token()),
                writer,
                shared.client(),
                shared.times(),
                shared.clock(),
                answer -> owner.execute(() -> {
                    answer.run();
                    step();
                }),
                (number, token, atFallback) -> new DirectRoute(shared.client(), number, token::now));
    }

    CompletableFuture<SealedGroup> run() {
        owner.execute(this::begin);
        return done;
    }

    private void begin() {
        int chunks = order.target().chunks().size();
        if (chunks < policy.chunks() || unread == 0 || unread > policy.groupBytes()) {
            fail(new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "group " + order.target().group() + " under " + policy + " with " + chunks
                            + " chunks cannot be filled with " + unread + " bytes"));
            return;
        }
        writer.open(Set.of());
        step();
    }

    /** Does what can be done now; called after everything that happens. */
    private void step() {
        if (done.isDone()) {
            return;
        }
        if (writer.chunks().broken()) {
            fail(new EcfsException(
                    ErrorCode.UNREACHABLE,
                    "not all chunks of " + order.target().group() + " can be written: "
                            + writer.chunks().failures()));
            return;
        }
        if (ready.isPresent() && !writer.opening()) {
            writer.send(ready.get());
            ready = Optional.empty();
        }
        if (unread > 0 && !assembling && ready.isEmpty() && stripes < mostStripes) {
            assemble();
        }
        boolean sent = unread == 0 && !assembling && ready.isEmpty();
        if (sent && !finishing && !writer.opening() && writer.drained()) {
            finishing = true;
            writer.finish(true);
        }
        if (finishing && !comparing && !writer.finishing()) {
            comparing = true;
            new CopyCheck(order, shared, badChunks)
                    .run()
                    .whenComplete((alike, failure) -> owner.execute(() -> compared(failure)));
        }
    }

    private void compared(Throwable failure) {
        if (failure == null) {
            done.complete(writer.sealed());
        } else {
            fail(EcfsException.of(failure));
        }
    }

    private void assemble() {
        assembling = true;
        stripes++;
        Stripe stripe = new Stripe(policy, shared.buffers(), this::closed);
        long bytes = Math.min(policy.stripeBytes(), unread);
        unread -= bytes;
        fill(stripe, bytes)
                .thenCompose(filled -> shared.workers().submit(() -> {
                    stripe.seal(code);
                    return null;
                }))
                .whenComplete((filled, failure) -> owner.execute(() -> assembled(stripe, failure)));
    }

    private void assembled(Stripe stripe, Throwable failure) {
        assembling = false;
        if (failure != null) {
            stripe.close();
            fail(EcfsException.of(failure));
        } else if (done.isDone()) {
            stripe.close();
        } else {
            ready = Optional.of(stripe);
            step();
        }
    }

    /** A stripe was closed, on the owner's thread. */
    private void closed() {
        stripes--;
        owner.execute(this::step);
    }

    /** Reads {@code bytes} more into the stripe. */
    private CompletableFuture<Void> fill(Stripe stripe, long bytes) {
        List<Part> next;
        try {
            next = parts.next(bytes);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        List<Part.Cell> cells = next.stream()
                .filter(Part.Cell.class::isInstance)
                .map(Part.Cell.class::cast)
                .toList();
        long here = next.stream().mapToLong(Part::bytes).sum();
        return shared.pace()
                .take(cells.stream().mapToLong(Part::bytes).sum())
                .thenCompose(may -> read(cells))
                .thenCompose(read -> shared.workers().submit(() -> put(next, read, stripe)))
                .thenCompose(
                        put -> here == bytes ? CompletableFuture.completedFuture(null) : fill(stripe, bytes - here));
    }

    /** All of the cells, or none: what came of the others is released when one fails. */
    private CompletableFuture<List<ChunkBytes>> read(List<Part.Cell> cells) {
        List<CompletableFuture<ChunkBytes>> reads =
                cells.stream().map(this::read).toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                .whenComplete((all, failure) -> {
                    if (failure != null) {
                        reads.stream()
                                .filter(read -> !read.isCompletedExceptionally())
                                .forEach(read -> read.join().close());
                    }
                })
                .thenApply(all -> reads.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<ChunkBytes> read(Part.Cell cell) {
        return shared.client().read(cell.chunk().address(), cell.read()).whenComplete((bytes, failure) -> {
            if (failure != null) {
                BadChunk.of(cell.chunk(), EcfsException.of(failure)).ifPresent(badChunks);
            }
        });
    }

    /** @param read the bytes of the cells among the parts, in their order */
    private static Void put(List<Part> parts, List<ChunkBytes> read, Stripe stripe) throws IOException {
        try {
            Iterator<ChunkBytes> next = read.iterator();
            for (Part part : parts) {
                if (part instanceof Part.Cell cell) {
                    long from = cell.read().offset();
                    ByteBuf bytes = next.next().slice(from, from + cell.bytes());
                    stripe.fill(bytes.nioBuffer());
                } else {
                    stripe.fillZeros(part.bytes());
                }
            }
            return null;
        } finally {
            read.forEach(ChunkBytes::close);
        }
    }

    /** What was opened is dropped; stripes on their way are closed as their last cell is answered. */
    private void fail(EcfsException reason) {
        if (done.completeExceptionally(reason)) {
            writer.abandon();
            ready.ifPresent(Stripe::close);
            ready = Optional.empty();
        }
    }
}

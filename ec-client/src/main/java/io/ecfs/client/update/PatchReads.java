package io.ecfs.client.update;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.location.ExtentLocations;
import io.ecfs.client.location.GroupSegments;
import io.ecfs.client.location.Locations;
import io.ecfs.client.location.OpenGroups;
import io.ecfs.client.location.PatchLoader;
import io.ecfs.client.location.PatchedBytes;
import io.ecfs.client.location.PatchedLocations;
import io.ecfs.client.location.Segment;
import io.ecfs.client.read.span.SpanFetches;
import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.PatchIndex;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Loads what patch groups have: by their indexes, and the batches of those that have none, as their updater still
 * writes them, or died. Safe for use by several threads.
 */
public final class PatchReads implements PatchLoader {
    /** Bytes of a group that are read at once to find batches. */
    private static final int WINDOW = 1 << 20;

    private final SpanFetches fetches;
    private final OpenGroups openGroups;
    private final MemoryBudget memory;
    private final Clock clock;

    public PatchReads(SpanFetches fetches, OpenGroups openGroups, MemoryBudget memory, Clock clock) {
        this.fetches = fetches;
        this.openGroups = openGroups;
        this.memory = memory;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<PatchedLocations> load(NamespaceReply.Located located, ExtentLocations base) {
        NamespaceReply.Patches patches = located.patches().orElseThrow();
        PatchedBytes into =
                new PatchedBytes(located.status().policy(), located.status().length());
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (int i = 0; i < patches.sealed().size(); i++) {
            PatchGroup patch = patches.sealed().get(i);
            LocatedGroup group = patches.groups().get(i);
            done = done.thenCompose(before -> sealed(patch, group, patches.nonce(), into));
        }
        return done.thenCompose(before -> patches.open()
                        .map(group -> openGroups
                                .segments(group, 0)
                                .thenCompose(parts -> open(group, parts, patches.nonce(), into)))
                        .orElseGet(() -> CompletableFuture.completedFuture(null)))
                .thenApply(all -> new PatchedLocations(base, into, clock));
    }

    private CompletableFuture<Void> sealed(PatchGroup patch, LocatedGroup located, long nonce, PatchedBytes into) {
        GroupSegments group = GroupSegments.sealed(located);
        into.add(group);
        return patch.indexOffset()
                .map(offset -> indexed(group, offset, nonce, into))
                .orElseGet(() -> walk(group, nonce, into));
    }

    private CompletableFuture<Void> walk(GroupSegments sealed, long nonce, PatchedBytes into) {
        return new Walk(new OfGroup(sealed, () -> CompletableFuture.completedFuture(null)), nonce, into).from(0);
    }

    private CompletableFuture<Void> open(LocatedGroup located, List<Segment> parts, long nonce, PatchedBytes into) {
        if (parts.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        GroupSegments group = new GroupSegments(located.group(), parts);
        into.add(group);
        return new Walk(
                        new OfGroup(group, () -> openGroups.segments(located, 0).thenAccept(group::replace)),
                        nonce,
                        into)
                .from(0);
    }

    private CompletableFuture<Void> indexed(GroupSegments group, long offset, long nonce, PatchedBytes into) {
        OfGroup bytesOf = new OfGroup(group, () -> CompletableFuture.completedFuture(null));
        return read(bytesOf, offset, group.length()).thenCompose(bytes -> {
            try {
                into.apply(PatchIndex.decode(group.group(), offset, bytes));
                return CompletableFuture.completedFuture(null);
            } catch (EcfsException e) {
                return walk(group, nonce, into);
            }
        });
    }

    private CompletableFuture<ByteBuffer> read(OfGroup group, long from, long to) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(to - from));
        return fetches.read(group, memory, from, to, bytes, new CancellationScope())
                .thenApply(done -> bytes.flip());
    }

    /** Batch after batch of one group, as far as they are whole. */
    private final class Walk {
        private final OfGroup group;
        private final long nonce;
        private final PatchedBytes into;

        Walk(OfGroup group, long nonce, PatchedBytes into) {
            this.group = group;
            this.nonce = nonce;
            this.into = into;
        }

        CompletableFuture<Void> from(long offset) {
            return from(offset, WINDOW);
        }

        private CompletableFuture<Void> from(long offset, int bytes) {
            long end = Math.min(group.length(), offset + bytes);
            return offset >= end
                    ? CompletableFuture.completedFuture(null)
                    : read(group, offset, end).thenCompose(window -> within(window, offset));
        }

        private CompletableFuture<Void> within(ByteBuffer window, long begin) {
            long at = begin;
            while (at < begin + window.limit()) {
                ByteBuffer rest = window.slice((int) (at - begin), (int) (begin + window.limit() - at));
                OptionalInt head = rest.remaining() < PatchBatch.HEADER_BYTES
                        ? OptionalInt.of(PatchBatch.HEADER_BYTES)
                        : PatchBatch.headBytes(rest, nonce, at, group.length());
                if (head.isPresent() && head.getAsInt() > rest.remaining()) {
                    return at + head.getAsInt() > group.length()
                            ? CompletableFuture.completedFuture(null)
                            : from(at, Math.max(WINDOW, head.getAsInt()));
                }
                Optional<PatchBatch> batch = PatchBatch.parse(rest, nonce, at, group.length());
                if (batch.isEmpty() || !follows(batch.get().number(), at)) {
                    return CompletableFuture.completedFuture(null);
                }
                into.apply(batch.get());
                at = batch.get().end();
            }
            return from(at);
        }

        /** Groups between may have been dropped. */
        private boolean follows(long number, long offset) {
            return offset == 0 ? number > into.lastBatch() : number == into.lastBatch() + 1;
        }
    }

    /**
     * A group as if it were a file.
     *
     * @param refresh finds what was in tail records in full stripes
     */
    private record OfGroup(GroupSegments group, Supplier<CompletableFuture<Void>> refresh) implements Locations {
        @Override
        public long length() {
            return group.length();
        }

        @Override
        public CompletableFuture<Segment> at(long position) {
            try {
                return CompletableFuture.completedFuture(group.at(position));
            } catch (EcfsException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public CompletableFuture<Segment> refreshed(long position) {
            return refresh.get().thenCompose(refreshed -> at(position));
        }

        @Override
        public CompletableFuture<LocatedGroup> places(long position, LocatedGroup known, ChunkLocation missing) {
            return CompletableFuture.completedFuture(known);
        }
    }
}

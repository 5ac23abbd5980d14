package io.ecfs.client.location;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The locations of the bytes of a file that was updated in place: each from the newest patch, or from the extents under
 * the patches. Safe for use by several threads.
 */
public final class PatchedLocations implements Locations {
    private final ExtentLocations base;
    private final PatchedBytes patches;
    private final Clock clock;
    private final MovedChunks moved;

    /** @param base of the extents */
    public PatchedLocations(ExtentLocations base, PatchedBytes patches, Clock clock) {
        this.base = base;
        this.patches = patches;
        this.clock = clock;
        this.moved = new MovedChunks(clock);
    }

    /** What is over the extents. */
    public PatchedBytes patches() {
        return patches;
    }

    /** The patch groups with their places of now, without the extents. */
    public CompletableFuture<NamespaceReply.Located> locate() {
        return base.locateAnew(length());
    }

    @Override
    public long length() {
        return patches.length();
    }

    @Override
    public CompletableFuture<Segment> at(long position) {
        try {
            return patch(position)
                    .map(segment ->
                            segment.tokenLasts(clock) ? CompletableFuture.completedFuture(segment) : located(position))
                    .orElseGet(() -> ofBase(position, base::at));
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Segment> refreshed(long position) {
        try {
            return patch(position).isPresent() ? located(position) : ofBase(position, base::refreshed);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<LocatedGroup> places(long position, LocatedGroup known, ChunkLocation missing) {
        try {
            Optional<LocatedGroup> remembered = patch(position)
                    .map(Segment::group)
                    .filter(group -> group.group().equals(known.group()));
            return remembered.isPresent()
                    ? moved.places(missing, remembered, () -> located(position).thenApply(Segment::group))
                    : base.places(position, known, missing);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Of the newest patch there. When its bytes are gone there are other locations: it was given up with its group. */
    private Optional<Segment> patch(long position) throws EcfsException {
        try {
            return patches.segment(position);
        } catch (EcfsException e) {
            if (position < length()) {
                base.changed();
            }
            throw e;
        }
    }

    private CompletableFuture<Segment> ofBase(long position, Function<Long, CompletableFuture<Segment>> question) {
        long end = patches.baseEnd(position);
        return question.apply(position).thenApply(segment -> segment.within(position, end));
    }

    /** Asks where the patch groups are by now. */
    private CompletableFuture<Segment> located(long position) {
        return base.locate(position)
                .thenCompose(located -> relocate(located).map(this::reloaded).orElseGet(() -> probed(located)))
                .thenCompose(probed -> {
                    try {
                        return CompletableFuture.completedFuture(patch(position).orElseThrow());
                    } catch (EcfsException e) {
                        return CompletableFuture.failedFuture(e);
                    }
                });
    }

    private CompletableFuture<Void> reloaded(EcfsException refusal) {
        base.changed();
        return CompletableFuture.failedFuture(refusal);
    }

    /** Asks the datanodes what an open group has: what a reader found in tail records is in full stripes later. */
    private CompletableFuture<Void> probed(NamespaceReply.Located located) {
        Optional<LocatedGroup> open = located.patches()
                .flatMap(NamespaceReply.Patches::open)
                .filter(group -> reader(group.group()).isPresent());
        return open.map(group -> base.probe(group)
                        .thenAccept(parts -> reader(group.group()).ifPresent(source -> source.replace(parts))))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private Optional<GroupSegments> reader(GroupId group) {
        return patches.sources().stream()
                .filter(source -> source.group().equals(group))
                .filter(GroupSegments.class::isInstance)
                .map(GroupSegments.class::cast)
                .findFirst();
    }

    /**
     * Takes over where the patch groups are.
     *
     * @return a refusal when a group is not the file's any more: it was compacted
     */
    public Optional<EcfsException> relocate(NamespaceReply.Located located) {
        Map<GroupId, LocatedGroup> groups = located.patches().stream()
                .flatMap(all -> all.groups().stream())
                .collect(Collectors.toMap(LocatedGroup::group, group -> group));
        for (PatchSource source : patches.sources()) {
            LocatedGroup now = groups.get(source.group());
            if (now == null && source.filling()) {
                continue; // the answer is older than the group
            } else if (now == null) {
                return Optional.of(new EcfsException(
                        ErrorCode.FILE_CHANGED,
                        located.status().path() + " (" + located.status().inode()
                                + ") was compacted while it was being read: patch group " + source.group()
                                + " is gone"));
            }
            source.locate(now);
        }
        return Optional.empty();
    }
}

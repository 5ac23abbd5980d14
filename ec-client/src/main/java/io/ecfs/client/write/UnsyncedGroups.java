package io.ecfs.client.write;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.FilePath;
import io.ecfs.message.LocatedGroup;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of one file whose chunks were published without a sync, so that they may not be on disk. Whoever asks for a sync gets it
 * for these first. Owned by the client's owner thread.
 */
final class UnsyncedGroups {
    private static final Logger LOG = LoggerFactory.getLogger(UnsyncedGroups.class);

    private record Unsynced(GroupWriter group, long fileOffset) {}

    private final WriteServices services;
    private final FilePath path;
    private final List<Unsynced> groups = new ArrayList<>();

    UnsyncedGroups(WriteServices services, FilePath path) {
        this.services = services;
        this.path = path;
    }

    /** @param fileOffset where in the file the group begins */
    void add(GroupWriter published, long fileOffset) {
        groups.add(new Unsynced(published, fileOffset));
    }

    int count() {
        return groups.size();
    }

    /** Whether these must be on disk before that work is done. */
    boolean goBefore(WriteEvent.Work work) {
        boolean asked = (work instanceof WriteEvent.End end && end.sync())
                || (work instanceof WriteEvent.Flush flush && flush.sync());
        return asked && !groups.isEmpty();
    }

    /** Puts all of them on disk; fails when too few chunks of one can be. */
    CompletableFuture<Void> sync() {
        return CompletableFuture.allOf(groups.stream().map(this::sync).toArray(CompletableFuture<?>[]::new));
    }

    /** Asks where the chunks are now only when too few are where they were written. */
    private CompletableFuture<Void> sync(Unsynced one) {
        return one.group()
                .syncFinished()
                .thenCompose(synced -> one.group().chunks().redundant(synced)
                        ? CompletableFuture.completedFuture(null)
                        : places(one).thenAccept(now -> requireSynced(one.group(), synced, now)));
    }

    /** Chunks that were made anew elsewhere since, by repair or a move, were put on disk before they counted. */
    private static void requireSynced(GroupWriter group, ChunkSet synced, List<ChunkLocation> now) {
        ChunkSet elsewhere = ChunkSet.of(now.stream()
                .filter(place -> place.state() != ChunkLocation.State.MISSING && !group.wroteAt(place))
                .map(place -> place.chunk().index())
                .toList());
        if (!group.chunks().redundant(synced.union(elsewhere))) {
            throw new CompletionException(new EcfsException(
                    ErrorCode.NO_SPACE,
                    "group " + group.located().group() + ": only chunks " + synced + " could be put on disk, and "
                            + elsewhere + " are elsewhere by now; "
                            + group.chunks().required() + " are required"));
        }
    }

    /** All are on disk, or nobody wants to know any more. */
    void clear() {
        groups.clear();
    }

    /** Where the chunks of a group are now; empty when that cannot be found out. */
    private CompletableFuture<List<ChunkLocation>> places(Unsynced one) {
        return services.namenode()
                .call(new NamespaceRequest.Locate(path, one.fileOffset(), 1), NamespaceReply.Located.class)
                .thenApply(located -> located.groups().stream()
                        .filter(now -> now.group().equals(one.group().located().group()))
                        .findFirst()
                        .map(LocatedGroup::chunks)
                        .orElse(List.of()))
                .exceptionally(unknown -> {
                    LOG.warn(
                            "event=places_not_found path={} group={} reason=\"{}\"",
                            path,
                            one.group().located().group(),
                            EcfsException.of(unknown).getMessage());
                    return List.of();
                });
    }
}

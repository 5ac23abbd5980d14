package io.ecfs.client.write;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.stripe.write.ChunkSetWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of one file whose chunks were published without a sync, so that they may not be on disk. A request
 * for a sync syncs these first. Owned by the client's owner thread.
 */
final class UnsyncedGroups {
    private static final Logger LOG = LoggerFactory.getLogger(UnsyncedGroups.class);

    private record Unsynced(ChunkSetWriter group, long fileOffset) {}

    private final WriteServices services;
    private final FileStatus file;
    private final List<Unsynced> groups = new ArrayList<>();

    UnsyncedGroups(WriteServices services, FileStatus file) {
        this.services = services;
        this.file = file;
    }

    /** @param fileOffset where in the file the group begins */
    void add(ChunkSetWriter published, long fileOffset) {
        groups.add(new Unsynced(published, fileOffset));
    }

    Stream<ChunkSetWriter> groups() {
        return groups.stream().map(Unsynced::group);
    }

    int count() {
        return groups.size();
    }

    /** Returns whether these must be on disk before that work is done. */
    boolean mustSyncFirst(WriteEvent.Work work) {
        boolean asked = (work instanceof WriteEvent.End end && end.sync())
                || (work instanceof WriteEvent.Flush flush && flush.sync());
        return asked && !groups.isEmpty();
    }

    /** Puts all of them on disk; fails when one cannot be. */
    CompletableFuture<Void> sync() {
        long giveUpAt =
                services.clock().nanos() + services.config().namenodeDeadline().toNanos();
        return CompletableFuture.allOf(
                groups.stream().map(group -> sync(group, giveUpAt)).toArray(CompletableFuture<?>[]::new));
    }

    /** Asks where the chunks are now only when not all are on disk where they were written. */
    private CompletableFuture<Void> sync(Unsynced one, long giveUpAt) {
        return one.group()
                .syncFinished()
                .thenCompose(onDisk ->
                        one.group().chunks().finishedIndexes().minus(onDisk).isEmpty()
                                ? CompletableFuture.completedFuture(null)
                                : places(one)
                                        .thenCompose(now -> problem(one.group(), onDisk, now)
                                                .map(problem -> later(one, giveUpAt, problem))
                                                .orElseGet(() -> CompletableFuture.completedFuture(null))));
    }

    /** A datanode that has just died is soon known to be away, and one that restarts answers again. */
    private CompletableFuture<Void> later(Unsynced one, long giveUpAt, EcfsException problem) {
        Duration pause = services.config().retryPauseLimit();
        if (services.clock().nanos() + pause.toNanos() - giveUpAt > 0) {
            return CompletableFuture.failedFuture(problem);
        }
        CompletableFuture<Void> again = new CompletableFuture<>();
        services.owner().schedule(pause, () -> again.complete(null));
        return again.thenCompose(now -> sync(one, giveUpAt));
    }

    /**
     * The reason why a group is not on disk. Every chunk that the namenode counts on must be: those that were made anew
     * elsewhere, by repair or a move, were put there before they counted; those that it knows to be away it does not
     * count, as if the group had been sealed without them. What is left must survive one more loss.
     *
     * @param now empty when that is unknown
     */
    private static Optional<EcfsException> problem(
            ChunkSetWriter group, ChunkSet onDisk, Optional<List<ChunkLocation>> now) {
        List<ChunkLocation> places = now.orElse(List.of());
        ChunkSet elsewhere = indexes(
                places.stream().filter(place -> place.state() != ChunkLocation.State.MISSING && !group.wroteAt(place)));
        ChunkSet counted = now.isEmpty()
                ? group.chunks().finishedIndexes()
                : indexes(places.stream()
                        .filter(place -> place.state() != ChunkLocation.State.MISSING
                                && place.state() != ChunkLocation.State.UNREACHABLE));
        ChunkSet safe = onDisk.union(elsewhere);
        ChunkSet inMemory = group.chunks().finishedIndexes().minus(safe);
        ChunkSet doubtful = inMemory.minus(inMemory.minus(counted));
        if (doubtful.isEmpty() && group.chunks().redundant(safe)) {
            return Optional.empty();
        }
        return Optional.of(new EcfsException(
                ErrorCode.NO_SPACE,
                "group " + group.located().group() + ": of its chunks "
                        + group.chunks().finishedIndexes() + " only " + onDisk + " could be put on disk, and "
                        + elsewhere
                        + " are elsewhere by now; " + group.chunks().required()
                        + " are required, and every one whose datanode is there; sync again, or write the file anew"));
    }

    private static ChunkSet indexes(Stream<ChunkLocation> places) {
        return ChunkSet.of(places.map(place -> place.chunk().index()).toList());
    }

    /** All are on disk, or the writer has ended. */
    void clear() {
        groups.clear();
    }

    /**
     * Present locations of a group's chunks, whatever the file is called by now; empty when they cannot be found out.
     */
    private CompletableFuture<Optional<List<ChunkLocation>>> places(Unsynced one) {
        return services.namenode()
                .call(new NamespaceRequest.GetInodeStatus(file.inode()), NamespaceReply.Status.class)
                .thenCompose(found -> services.namenode()
                        .call(
                                new NamespaceRequest.Locate(found.status().path(), one.fileOffset(), 1),
                                NamespaceReply.Located.class))
                .thenApply(located -> located.groups().stream()
                        .filter(now -> now.group().equals(one.group().located().group()))
                        .findFirst()
                        .map(LocatedGroup::chunks))
                .exceptionally(unknown -> {
                    LOG.warn(
                            "event=places_not_found path={} group={} reason=\"{}\"",
                            file.path(),
                            one.group().located().group(),
                            EcfsException.of(unknown).getMessage());
                    return Optional.empty();
                });
    }
}

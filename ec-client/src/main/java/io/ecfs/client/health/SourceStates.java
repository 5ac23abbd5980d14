package io.ecfs.client.health;

import io.ecfs.client.plan.Standing;
import io.ecfs.client.ring.ChunkRoles;
import io.ecfs.client.ring.RingView;
import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The standing of each chunk of a group for one read: from the failures and delays of this read, and from the health of
 * the datanodes. It reports failures for the client's other reads, and unusable chunks to the namenode. Owned by the
 * client's owner thread.
 */
public final class SourceStates {
    private final long lateAfterNanos;
    private final SuspectDatanodes suspects;
    private final Hedging hedging;
    private final BadChunkReports badChunks;
    private final RingView rings;
    private LocatedGroup group;
    private final SortedMap<Integer, EcfsException> failures = new TreeMap<>();
    private final TreeSet<Integer> late = new TreeSet<>();
    private final TreeSet<Integer> overdue = new TreeSet<>();
    private Optional<ChunkSet> planned = Optional.empty();
    private Optional<ChunkRoles> roles = Optional.empty(); // as they were when they were needed first

    SourceStates(
            Duration lateAfter,
            SuspectDatanodes suspects,
            Hedging hedging,
            BadChunkReports badChunks,
            RingView rings,
            LocatedGroup group) {
        this.lateAfterNanos = lateAfter.toNanos();
        this.suspects = suspects;
        this.hedging = hedging;
        this.badChunks = badChunks;
        this.rings = rings;
        this.group = group;
    }

    /** The standing of a chunk whose bytes have not arrived. */
    public Standing of(int index) {
        Optional<ChunkLocation> location = group.chunk(index);
        if (location.isEmpty() || failures.containsKey(index)) {
            return Standing.FAILED;
        }
        if (late.contains(index)) {
            return Standing.LATE;
        }
        if (location.get().state() != ChunkLocation.State.LIVE) {
            return Standing.DOUBTFUL;
        }
        if (suspects.suspected(location.get().datanode())) {
            return Standing.SUSPECTED;
        }
        if (hedging.slow(location.get().datanode())) {
            return Standing.SLOW;
        }
        if (planned.isPresent() && planned.get().contains(index)) {
            return Standing.LIVE;
        }
        if (roles().writing().contains(index)) {
            return Standing.WRITING;
        }
        if (roles().turning().contains(index)) {
            return Standing.TURNING;
        }
        return planned.isEmpty() ? Standing.LIVE : Standing.PASSED_OVER;
    }

    /** Returns whether a chunk is on a volume that writes, whatever else its standing says. */
    public boolean onWriter(int index) {
        return roles().writing().contains(index);
    }

    /** A ring that turns while a read is under way does not change its plan. */
    private ChunkRoles roles() {
        if (roles.isEmpty()) {
            roles = Optional.of(rings.roles(group));
        }
        return roles.get();
    }

    /** These are to be read, and others only where they do not suffice. */
    public void prefer(ChunkSet chunks) {
        planned = Optional.of(chunks);
    }

    /** The namenode returned other places: failures at places that changed are discarded. */
    public void moved(LocatedGroup fresh) {
        failures.keySet().removeIf(index -> !fresh.chunk(index).equals(group.chunk(index)));
        group = fresh;
        roles = Optional.empty();
    }

    /** The failures of chunks that were requested, by index. */
    public SortedMap<Integer, EcfsException> failures() {
        return Collections.unmodifiableSortedMap(failures);
    }

    /**
     * A chunk that was asked for so many bytes has not answered yet.
     *
     * @param location that was asked; by now the chunk may be known to lie elsewhere
     * @return whether it is late from now on
     */
    public boolean waits(ChunkLocation location, int bytes, long waitedNanos) {
        int index = location.chunk().index();
        if (waitedNanos >= lateAfterNanos) {
            if (!overdue.add(index)) {
                return false;
            }
            suspects.suspect(location.datanode());
            return late.add(index);
        }
        return !late.contains(index)
                && waitedNanos >= hedging.lateAfterNanos(bytes)
                && hedging.takeHedge()
                && late.add(index);
    }

    /**
     * The present location of a chunk has been requested and is not known yet.
     *
     * @return whether it is late from now on
     */
    public boolean waitsForItsPlace(int index, long waitedNanos) {
        return waitedNanos >= lateAfterNanos && late.add(index);
    }

    /** A chunk is not waited for any more. */
    public void over(int index) {
        late.remove(index);
        overdue.remove(index);
    }

    /** A chunk that was asked cannot be used; which says nothing of the place where it is known to lie by now. */
    public void failed(ChunkLocation location, EcfsException failure) {
        if (group.chunk(location.chunk().index()).equals(Optional.of(location))) {
            failures.put(location.chunk().index(), failure);
        }
        switch (failure.code()) {
            case CHUNK_CORRUPT -> report(location, BadChunk.Reason.CORRUPT);
            case CHUNK_MISSING -> report(location, BadChunk.Reason.MISSING);
            case TIMEOUT, UNREACHABLE, CONNECTION_LOST -> suspects.suspect(location.datanode());
            default -> {}
        }
    }

    /** A chunk is missing from its place and its present place is unknown: no datanode is suspected for that. */
    public void unplaced(ChunkLocation location, EcfsException failure) {
        failures.put(location.chunk().index(), failure);
    }

    private void report(ChunkLocation location, BadChunk.Reason reason) {
        badChunks.report(new BadChunk(location.chunk(), location.volume(), location.datanode(), reason));
    }
}

package io.ecfs.client.read;

import io.ecfs.client.plan.Standing;
import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one read may hope for from each chunk of its group: what it met itself, and what the client knows of their
 * datanodes. What it meets it tells the client's other reads, and the namenode of chunks that cannot be used. Owned by
 * the client's owner thread.
 */
final class SourceStates {
    private final ReadServices services;
    private LocatedGroup group;
    private final SortedMap<Integer, EcfsException> failures = new TreeMap<>();
    private final TreeSet<Integer> late = new TreeSet<>();
    private final TreeSet<Integer> overdue = new TreeSet<>();
    private Optional<ChunkSet> planned = Optional.empty();

    SourceStates(ReadServices services, LocatedGroup group) {
        this.services = services;
        this.group = group;
    }

    /** Of a chunk whose bytes are not here. */
    Standing of(int index) {
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
        if (services.suspects().suspected(location.get().datanode())) {
            return Standing.SUSPECTED;
        }
        if (services.hedging().slow(location.get().datanode())) {
            return Standing.SLOW;
        }
        return planned.isEmpty() || planned.get().contains(index) ? Standing.LIVE : Standing.PASSED_OVER;
    }

    /** These are to be read, and others only where they do not suffice. */
    void prefer(ChunkSet chunks) {
        planned = Optional.of(chunks);
    }

    /** The namenode gave other places: what was met at those that changed does not count any more. */
    void moved(LocatedGroup fresh) {
        failures.keySet().removeIf(index -> !fresh.chunk(index).equals(group.chunk(index)));
        group = fresh;
    }

    /** Why chunks that were asked cannot be used, by index. */
    SortedMap<Integer, EcfsException> failures() {
        return Collections.unmodifiableSortedMap(failures);
    }

    /**
     * A chunk that was asked for so many bytes has not answered yet.
     *
     * @param location that was asked; by now the chunk may be known to lie elsewhere
     * @return whether it is late from now on
     */
    boolean waits(ChunkLocation location, int bytes, long waitedNanos) {
        int index = location.chunk().index();
        if (waitedNanos >= services.config().lateAfter().toNanos()) {
            if (!overdue.add(index)) {
                return false;
            }
            services.suspects().suspect(location.datanode());
            return late.add(index);
        }
        return !late.contains(index)
                && waitedNanos >= services.hedging().lateAfterNanos(bytes)
                && services.hedging().takeHedge()
                && late.add(index);
    }

    /**
     * It is not known yet where a chunk lies now.
     *
     * @return whether it is late from now on
     */
    boolean waitsForItsPlace(int index, long waitedNanos) {
        return waitedNanos >= services.config().lateAfter().toNanos() && late.add(index);
    }

    /** A chunk is not waited for any more. */
    void over(int index) {
        late.remove(index);
        overdue.remove(index);
    }

    /** A chunk that was asked cannot be used; which says nothing of the place where it is known to lie by now. */
    void failed(ChunkLocation location, EcfsException failure) {
        if (group.chunk(location.chunk().index()).equals(Optional.of(location))) {
            failures.put(location.chunk().index(), failure);
        }
        switch (failure.code()) {
            case CHUNK_CORRUPT -> report(location, BadChunk.Reason.CORRUPT);
            case CHUNK_MISSING -> report(location, BadChunk.Reason.MISSING);
            case TIMEOUT, UNREACHABLE, CONNECTION_LOST -> services.suspects().suspect(location.datanode());
            default -> {}
        }
    }

    /** A chunk is not where it was said to be, and nobody knows where it is: nobody is to blame for that. */
    void unplaced(ChunkLocation location, EcfsException failure) {
        failures.put(location.chunk().index(), failure);
    }

    private void report(ChunkLocation location, BadChunk.Reason reason) {
        services.badChunks().report(new BadChunk(location.chunk(), location.volume(), location.datanode(), reason));
    }
}

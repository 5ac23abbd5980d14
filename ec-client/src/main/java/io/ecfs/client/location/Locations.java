package io.ecfs.client.location;

import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.concurrent.CompletableFuture;

/** The locations of one open file's bytes. Safe for use by several threads. */
public interface Locations {
    /** Bytes that were there when the file was opened. */
    long length();

    /**
     * The segment that holds a position below the file's length, asked for when it is not known or its token is about
     * to expire.
     */
    CompletableFuture<Segment> at(long position);

    /** Requests the segment in any case: the known one did not work. */
    CompletableFuture<Segment> refreshed(long position);

    /**
     * The group at a position with its places of now, as a chunk of it is missing from a place: it may have moved.
     * Asked once for each such place, however many reads miss the chunk there.
     *
     * @return possibly the places that are known; fails as {@link #refreshed} does
     */
    CompletableFuture<LocatedGroup> places(long position, LocatedGroup known, ChunkLocation missing);
}

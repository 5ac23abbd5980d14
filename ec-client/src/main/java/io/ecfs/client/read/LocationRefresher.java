package io.ecfs.client.read;

import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.concurrent.CompletableFuture;

/** Requests the places of a group's chunks again when one is missing from its place. */
@FunctionalInterface
public interface LocationRefresher {
    /** Returns the known places: for groups whose chunks do not move meanwhile. */
    LocationRefresher AS_KNOWN = (known, missing) -> CompletableFuture.completedFuture(known);

    /**
     * Requests the places.
     *
     * @param missing place of one of its chunks, which is not there
     * @return the group with its places as the namenode has them now; cancelling it does not cancel the request of other reads
     */
    CompletableFuture<LocatedGroup> now(LocatedGroup known, ChunkLocation missing);
}

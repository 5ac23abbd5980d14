package io.ecfs.client.read;

import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.concurrent.CompletableFuture;

/** Where the chunks of a group lie, asked again when one was not where it was said to be. */
@FunctionalInterface
interface LocationRefresher {
    /** For groups whose places are known from elsewhere and do not change meanwhile. */
    LocationRefresher AS_KNOWN = (known, missing) -> CompletableFuture.completedFuture(known);

    /**
     * Asks.
     *
     * @param missing place of one of its chunks, which is not there
     * @return the group with its places as the namenode has them now; cancelling it stops nobody else's question
     */
    CompletableFuture<LocatedGroup> now(LocatedGroup known, ChunkLocation missing);
}

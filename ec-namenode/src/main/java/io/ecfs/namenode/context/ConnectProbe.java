package io.ecfs.namenode.context;

import io.ecfs.message.Address;
import java.util.concurrent.CompletableFuture;

/** A port that connects to a datanode's address. Called from the event thread; the answer may come on any. */
@FunctionalInterface
public interface ConnectProbe {
    /** Learns nothing. */
    ConnectProbe NONE = address -> CompletableFuture.completedFuture(false);

    /**
     * Returns whether a connection is refused: the machine answers, and no process listens at the address. False when
     * it is accepted, and when nothing answers: then it may be the network.
     */
    CompletableFuture<Boolean> refused(Address address);
}

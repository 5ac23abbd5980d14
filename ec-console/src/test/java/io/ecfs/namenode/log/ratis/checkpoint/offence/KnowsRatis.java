package io.ecfs.namenode.log.ratis.checkpoint.offence;

import org.apache.ratis.protocol.RaftPeerId;

/** Reaches from checkpoints to the library of the log. */
public final class KnowsRatis {
    static Object id() {
        return RaftPeerId.valueOf("nn1");
    }
}

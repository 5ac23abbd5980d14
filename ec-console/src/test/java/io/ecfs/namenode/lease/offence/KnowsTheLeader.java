package io.ecfs.namenode.lease.offence;

import io.ecfs.namenode.leader.Leader;

/** A service that knows the leader, which would close the circle between the leader and its services. */
public final class KnowsTheLeader {
    private KnowsTheLeader() {}

    public static long leader(Leader leader) {
        return leader.term();
    }
}

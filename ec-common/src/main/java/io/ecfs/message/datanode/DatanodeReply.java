package io.ecfs.message.datanode;

import io.ecfs.message.Message;
import io.ecfs.message.Throttles;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingClock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The namenode's answers to {@link DatanodeReport}. */
public sealed interface DatanodeReply extends Message {

    /**
     * @param volumes the number of each offered volume, by its uuid
     * @param levelInForce the cluster's feature level; releases of level 1 do not say
     */
    record Registered(
            String clusterId, Map<String, VolumeId> volumes, List<TokenKey> keys, Optional<Integer> levelInForce)
            implements DatanodeReply {
        public Registered(String clusterId, Map<String, VolumeId> volumes, List<TokenKey> keys) {
            this(clusterId, volumes, keys, Optional.empty());
        }

        public Registered {
            Objects.requireNonNull(levelInForce, "levelInForce");
            Objects.requireNonNull(clusterId, "clusterId");
            volumes = Map.copyOf(volumes);
            keys = List.copyOf(keys);
        }
    }

    /**
     * This namenode does not know the datanode (yet, or any more): register, now or, if it was just refused, with the
     * next heartbeat.
     */
    record RegisterAgain() implements DatanodeReply {}

    /**
     * @param term of the sender when it leads; 0 from a follower, which gives no orders. A datanode refuses orders of a
     *     term below the highest it has seen
     * @param keys all token keys that are valid at present
     * @param repairBytesPerSecond as an operator set it, see {@link Throttles#repairBytesPerSecond}; empty: as the
     *     datanode is configured
     * @param rings in which the datanode has volumes; empty from a follower, and from releases without rings
     */
    record HeartbeatReply(
            long term,
            List<DatanodeOrder> orders,
            List<TokenKey> keys,
            Optional<Long> repairBytesPerSecond,
            Optional<List<RingClock>> rings)
            implements DatanodeReply {
        /** Without rings. */
        public HeartbeatReply(
                long term, List<DatanodeOrder> orders, List<TokenKey> keys, Optional<Long> repairBytesPerSecond) {
            this(term, orders, keys, repairBytesPerSecond, Optional.empty());
        }

        public HeartbeatReply {
            rings = rings.map(List::copyOf);
            Objects.requireNonNull(repairBytesPerSecond, "repairBytesPerSecond");
            orders = List.copyOf(orders);
            keys = List.copyOf(keys);
        }
    }

    record Noted() implements DatanodeReply {}
}

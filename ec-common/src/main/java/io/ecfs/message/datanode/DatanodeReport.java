package io.ecfs.message.datanode;

import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.ring.RingVolumeStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reports of datanodes to every namenode, leader or not, so that a new leader knows them at once. Answered by
 * {@link DatanodeReply}.
 */
public sealed interface DatanodeReport extends Message {
    DatanodeId datanode();

    /**
     * First message after a start, and again whenever {@link DatanodeReply.RegisterAgain} asks for it. Answered by
     * {@link DatanodeReply.Registered}.
     *
     * @param uuid of the datanode's directory: a second process with the same id and another directory is refused
     * @param clusterId empty for a datanode that has never belonged to a cluster
     * @param sequence grows with every Register, FullReport and ChangeReport of this datanode's process, and begins
     *     above those of its earlier processes: it identifies what a broken connection delivers late
     * @param layoutVersion of its disk format
     */
    record Register(
            DatanodeId datanode,
            String uuid,
            long sequence,
            String clusterId,
            int layoutVersion,
            Address address,
            String rack,
            List<VolumeOffer> volumes)
            implements DatanodeReport {
        public Register {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(uuid, "uuid");
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(address, "address");
            Objects.requireNonNull(rack, "rack");
            volumes = List.copyOf(volumes);
        }
    }

    /**
     * A volume's uuid, made when it was formatted, and its size.
     *
     * @param directory by which operators call it; empty from a datanode of an earlier release
     * @param journalBound most bytes of the journal that a ring needs; empty: it has none
     */
    record VolumeOffer(String uuid, long capacityBytes, Optional<String> directory, Optional<Long> journalBound) {
        /** Without its directory, and without a journal. */
        public VolumeOffer(String uuid, long capacityBytes) {
            this(uuid, capacityBytes, Optional.empty(), Optional.empty());
        }

        public VolumeOffer {
            Objects.requireNonNull(uuid, "uuid");
            Objects.requireNonNull(directory, "directory");
            Objects.requireNonNull(journalBound, "journalBound");
        }
    }

    /**
     * Sign of life with the load of the datanode. Answered by {@link DatanodeReply.HeartbeatReply}.
     *
     * @param uuid as in {@link Register}
     * @param load empty while the datanode has not measured it
     * @param relays empty from a datanode of an earlier release, or one that cannot relay
     * @param rings its volumes that follow the clock of a ring; empty from a datanode of a release without rings
     */
    record Heartbeat(
            DatanodeId datanode,
            String uuid,
            List<VolumeStatus> volumes,
            Optional<DatanodeLoad> load,
            Optional<RelayLoad> relays,
            Optional<List<RingVolumeStatus>> rings)
            implements DatanodeReport {
        /** Without rings. */
        public Heartbeat(
                DatanodeId datanode,
                String uuid,
                List<VolumeStatus> volumes,
                Optional<DatanodeLoad> load,
                Optional<RelayLoad> relays) {
            this(datanode, uuid, volumes, load, relays, Optional.empty());
        }

        public Heartbeat {
            rings = rings.map(List::copyOf);
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(uuid, "uuid");
            volumes = List.copyOf(volumes);
            Objects.requireNonNull(load, "load");
            Objects.requireNonNull(relays, "relays");
        }
    }

    /**
     * @param queued requests that wait for the volume
     * @param unsyncedChunks closed and not known to be on disk yet
     */
    record VolumeStatus(
            VolumeId volume,
            VolumeState state,
            long capacityBytes,
            long usedBytes,
            long freeBytes,
            long chunks,
            int queued,
            int unsyncedChunks) {
        public VolumeStatus {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(state, "state");
        }
    }

    /**
     * One page of all chunks of a volume, in chunk order. The pages of one report share its id; the last one replaces
     * what was known of the volume before the first. Answered by {@link DatanodeReply.Noted}.
     *
     * @param sequence as in {@link Register}: a report below one that was taken already is old and changes nothing
     */
    record FullReport(
            DatanodeId datanode,
            String uuid,
            long sequence,
            VolumeId volume,
            long reportId,
            int page,
            boolean last,
            List<ChunkRecord> chunks)
            implements DatanodeReport {
        /** Most chunks in one page. */
        public static final int MAX_PAGE = 10_000;

        public FullReport {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(uuid, "uuid");
            Objects.requireNonNull(volume, "volume");
            chunks = List.copyOf(chunks);
        }
    }

    /**
     * Changes since the last report, in the order they happened. Answered by {@link DatanodeReply.Noted}.
     *
     * @param sequence as in {@link FullReport}
     */
    record ChangeReport(DatanodeId datanode, String uuid, long sequence, List<ChunkChange> changes)
            implements DatanodeReport {
        public ChangeReport {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(uuid, "uuid");
            changes = List.copyOf(changes);
        }
    }

    /**
     * Long poll for orders that should not wait for the next heartbeat. Answered by {@link
     * DatanodeReply.HeartbeatReply}: as soon as the leader has orders that it did not hand out before, without any
     * after {@code holdMillis}, and at once by a namenode that does not lead. It is no sign of life, and the orders in
     * its answer come with the next heartbeats as well.
     */
    record AwaitOrders(DatanodeId datanode, String uuid, long holdMillis) implements DatanodeReport {
        public AwaitOrders {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(uuid, "uuid");
            if (holdMillis < 0) {
                throw new IllegalArgumentException("orders cannot be awaited for " + holdMillis + " ms");
            }
        }
    }
}

package io.ecfs.message.report;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.ring.RingSettings;
import io.ecfs.message.ring.RingVolumeChange;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An event in the cluster, as the replicated history records it; events of lost chunks add up to {@link Incident}s.
 * Times are the leader's, in milliseconds since the epoch.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ClusterEvent.LeaderChanged.class, name = "leaderChanged"),
    @JsonSubTypes.Type(value = ClusterEvent.DatanodeChanged.class, name = "datanodeChanged"),
    @JsonSubTypes.Type(value = ClusterEvent.AdminStateChanged.class, name = "dutyChanged"),
    @JsonSubTypes.Type(value = ClusterEvent.IncidentOpened.class, name = "incidentOpened"),
    @JsonSubTypes.Type(value = ClusterEvent.RepairPlanned.class, name = "repairPlanned"),
    @JsonSubTypes.Type(value = ClusterEvent.RepairCommitted.class, name = "repairCommitted"),
    @JsonSubTypes.Type(value = ClusterEvent.RepairFailed.class, name = "repairFailed"),
    @JsonSubTypes.Type(value = ClusterEvent.RepairWaits.class, name = "repairWaits"),
    @JsonSubTypes.Type(value = ClusterEvent.IncidentHealed.class, name = "incidentHealed"),
    @JsonSubTypes.Type(value = ClusterEvent.CauseGone.class, name = "causeGone"),
    @JsonSubTypes.Type(value = ClusterEvent.ChunkMoved.class, name = "chunkMoved"),
    @JsonSubTypes.Type(value = ClusterEvent.MoveJudged.class, name = "moveJudged"),
    @JsonSubTypes.Type(value = ClusterEvent.ThrottlesChanged.class, name = "throttlesChanged"),
    @JsonSubTypes.Type(value = ClusterEvent.PolicyChanged.class, name = "policyChanged"),
    @JsonSubTypes.Type(value = ClusterEvent.QuotaChanged.class, name = "quotaChanged"),
    @JsonSubTypes.Type(value = ClusterEvent.ConversionChanged.class, name = "conversionChanged"),
    @JsonSubTypes.Type(value = ClusterEvent.GroupRewritten.class, name = "groupRewritten"),
    @JsonSubTypes.Type(value = ClusterEvent.RingChanged.class, name = "ringChanged"),
    @JsonSubTypes.Type(value = ClusterEvent.DirectoryRingChanged.class, name = "directoryRingChanged")
})
public sealed interface ClusterEvent {
    /** Longest text that an event carries. */
    int MAX_TEXT = 1000;

    /** An event of the open incident of its cause, or the one that opens it. */
    sealed interface OfIncident extends ClusterEvent {
        IncidentCause cause();
    }

    /** An event that opens the incident of its cause when none is open. */
    sealed interface Detection extends OfIncident {
        /** Time of its first sign. */
        long detectedMillis();

        /** Time from which on chunks may be rebuilt. */
        long deadMillis();
    }

    /** An event of one chunk of an incident. */
    sealed interface OfChunk extends OfIncident {
        GroupId group();

        int index();

        /** Begin of the chunk's trace if this is its first event. */
        long firstMillis();
    }

    record LeaderChanged(String namenode, long term) implements ClusterEvent {
        public LeaderChanged {
            Objects.requireNonNull(namenode, "namenode");
        }
    }

    record DatanodeChanged(DatanodeId datanode, ClusterReport.DatanodeState from, ClusterReport.DatanodeState to)
            implements ClusterEvent {
        public DatanodeChanged {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
        }
    }

    /**
     * The administrative state of a datanode changed.
     *
     * @param reason for operators: the user who set it, or what ended
     */
    record AdminStateChanged(
            DatanodeId datanode, AdminState.State from, AdminState.State to, Optional<Long> untilMillis, String reason)
            implements ClusterEvent {
        public AdminStateChanged {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            Objects.requireNonNull(untilMillis, "untilMillis");
            reason = cut(reason);
        }
    }

    /**
     * @param detectedMillis when the first sign of it was noticed: a datanode suspected
     * @param deadMillis when it was certain, from when on chunks may be rebuilt: the grace has passed
     */
    record IncidentOpened(IncidentCause cause, long detectedMillis, long deadMillis) implements Detection {
        public IncidentOpened {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * An attempt to rebuild a chunk is in the log.
     *
     * @param chunk to be, of the attempt's own generation
     * @param detectedMillis when it was noticed that the chunk is not there
     * @param deadMillis from when on it may be rebuilt
     * @param checkedMillis when it was found to need a repair
     * @param datanode of the target
     * @param reason for people
     */
    record RepairPlanned(
            IncidentCause cause,
            ChunkId chunk,
            long detectedMillis,
            long deadMillis,
            long checkedMillis,
            VolumeId target,
            DatanodeId datanode,
            String reason)
            implements Detection, OfChunk {
        public RepairPlanned {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(target, "target");
            Objects.requireNonNull(datanode, "datanode");
            reason = cut(reason);
        }

        @Override
        public GroupId group() {
            return chunk.group();
        }

        @Override
        public int index() {
            return chunk.index();
        }

        @Override
        public long firstMillis() {
            return detectedMillis;
        }
    }

    /**
     * The rebuilt chunk took its place.
     *
     * @param startedMillis when its target took it up
     * @param work empty when the target's answer got lost, and a full report showed the chunk
     */
    record RepairCommitted(
            IncidentCause cause, ChunkId chunk, DatanodeId datanode, long startedMillis, Optional<RebuildWork> work)
            implements OfChunk {
        public RepairCommitted {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(work, "work");
        }

        @Override
        public GroupId group() {
            return chunk.group();
        }

        @Override
        public int index() {
            return chunk.index();
        }

        @Override
        public long firstMillis() {
            return startedMillis;
        }
    }

    record RepairFailed(
            IncidentCause cause, ChunkId chunk, DatanodeId datanode, String reason, Optional<RebuildWork> work)
            implements OfChunk {
        public RepairFailed {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(datanode, "datanode");
            reason = cut(reason);
            Objects.requireNonNull(work, "work");
        }

        @Override
        public GroupId group() {
            return chunk.group();
        }

        @Override
        public int index() {
            return chunk.index();
        }

        @Override
        public long firstMillis() {
            return 0;
        }
    }

    /** A chunk cannot be rebuilt now, and why: no legal target, too few sources. Times as in {@link RepairPlanned}. */
    record RepairWaits(
            IncidentCause cause, GroupId group, int index, long detectedMillis, long deadMillis, String reason)
            implements Detection, OfChunk {
        public RepairWaits {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(group, "group");
            reason = cut(reason);
        }

        @Override
        public long firstMillis() {
            return detectedMillis;
        }
    }

    /** No chunk is lost by this cause any more. */
    record IncidentHealed(IncidentCause cause) implements OfIncident {
        public IncidentHealed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** The cause itself is over: the datanode sends heartbeats again, the volume works. */
    record CauseGone(IncidentCause cause) implements OfIncident {
        public CauseGone {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * The chunk mover had a chunk moved; gains as in {@link MoverReport.Move}.
     *
     * @param chunk that is new
     */
    record ChunkMoved(
            ChunkId chunk, DatanodeId from, DatanodeId to, double predictedGain, double accessGain, double balanceGain)
            implements ClusterEvent {
        public ChunkMoved {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
        }
    }

    /** Gain of a move of the chunk mover, by the loads and accesses some time after it. */
    record MoveJudged(
            GroupId group, int index, DatanodeId from, DatanodeId to, double predictedGain, double realisedGain)
            implements ClusterEvent {
        public MoveJudged {
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
        }
    }

    /**
     * An operator set throttles of reconstruction. What is empty stayed as it was.
     *
     * @param repairsAtOnce in the cluster; {@code SetThrottles.AS_CONFIGURED}: as configured, as in the others
     * @param repairBytesPerSecond of a datanode; 0: no limit
     * @param who the user, and the person behind it where that is known
     */
    record ThrottlesChanged(
            Optional<Long> repairsAtOnce,
            Optional<Long> repairsPerDatanode,
            Optional<Long> repairBytesPerSecond,
            String who)
            implements ClusterEvent {
        public ThrottlesChanged {
            Objects.requireNonNull(repairsAtOnce, "repairsAtOnce");
            Objects.requireNonNull(repairsPerDatanode, "repairsPerDatanode");
            Objects.requireNonNull(repairBytesPerSecond, "repairBytesPerSecond");
            who = cut(who);
        }
    }

    /** An event about a directory: not for users who may not see its path. */
    sealed interface OfDirectory extends ClusterEvent {
        String path();

        /** The same with another path. */
        OfDirectory at(String other);
    }

    /**
     * The policy of a directory for new files below it changed.
     *
     * @param path of the directory at that time
     * @param from name of the policy; empty: inherited
     * @param to name of the policy; empty: inherited
     * @param who as in {@link ThrottlesChanged}
     */
    record PolicyChanged(String path, Optional<String> from, Optional<String> to, String who) implements OfDirectory {
        public PolicyChanged {
            path = cut(path);
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            who = cut(who);
        }

        @Override
        public PolicyChanged at(String other) {
            return new PolicyChanged(other, from, to, who);
        }
    }

    /**
     * The quota of a directory changed.
     *
     * @param path of the directory at that time
     * @param names bound of the names below it; empty: none
     * @param space bound of the bytes on volumes; empty: none
     * @param who as in {@link ThrottlesChanged}
     */
    record QuotaChanged(String path, Optional<Long> names, Optional<Long> space, String who) implements OfDirectory {
        public QuotaChanged {
            path = cut(path);
            Objects.requireNonNull(names, "names");
            Objects.requireNonNull(space, "space");
            who = cut(who);
        }

        @Override
        public QuotaChanged at(String other) {
            return new QuotaChanged(other, names, space, who);
        }
    }

    /**
     * A conversion of files was asked for, paused, resumed or cancelled, or has ended.
     *
     * @param path of the file or directory when it was asked for
     * @param policy that its files get
     * @param who as in {@link ThrottlesChanged}; of an end the user who asked for it
     */
    record ConversionChanged(
            String path, long job, String policy, Conversion.State to, long converted, long failed, String who)
            implements OfDirectory {
        public ConversionChanged {
            path = cut(path);
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(to, "to");
            who = cut(who);
        }

        @Override
        public ConversionChanged at(String other) {
            return new ConversionChanged(other, job, policy, to, converted, failed, who);
        }
    }

    /**
     * Bytes of files lie in a new group.
     *
     * @param cause that they are rewritten
     * @param why they were: converted, cleaned, joined
     * @param chunks of the group
     * @param bytesRead users' bytes of it
     * @param bytesWritten of its chunks
     */
    record GroupRewritten(IncidentCause cause, GroupId group, String why, int chunks, long bytesRead, long bytesWritten)
            implements OfIncident {
        public GroupRewritten {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(group, "group");
            why = cut(why);
        }
    }

    /**
     * A ring of volumes was made, changed or dropped.
     *
     * @param ring its name
     * @param epoch of it from then on
     * @param from its settings before; empty: it was made
     * @param to its settings from then on; empty: it was dropped
     * @param volumes that came, left or changed, in the order of their numbers, at most {@link #MOST_VOLUMES}
     * @param moreVolumes number of those that are not among {@code volumes}
     * @param who as in {@link ThrottlesChanged}; of a change by the leader its reason
     */
    record RingChanged(
            String ring,
            long epoch,
            Optional<RingSettings> from,
            Optional<RingSettings> to,
            List<RingVolumeChange> volumes,
            int moreVolumes,
            String who)
            implements ClusterEvent {
        /** Most volumes that an event names. */
        public static final int MOST_VOLUMES = 100;

        public RingChanged {
            Objects.requireNonNull(ring, "ring");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            volumes = List.copyOf(volumes);
            who = cut(who);
        }

        /** The first of all volumes that changed, and the number of the others. */
        public static RingChanged of(
                String ring,
                long epoch,
                Optional<RingSettings> from,
                Optional<RingSettings> to,
                List<RingVolumeChange> all,
                String who) {
            List<RingVolumeChange> first = all.subList(0, Math.min(MOST_VOLUMES, all.size()));
            return new RingChanged(ring, epoch, from, to, first, all.size() - first.size(), who);
        }
    }

    /**
     * The ring of a directory for new groups below it changed.
     *
     * @param path of the directory at that time
     * @param from name of the ring; empty: inherited
     * @param to name of the ring; empty: inherited
     * @param who as in {@link ThrottlesChanged}
     */
    record DirectoryRingChanged(String path, Optional<String> from, Optional<String> to, String who)
            implements OfDirectory {
        public DirectoryRingChanged {
            path = cut(path);
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            who = cut(who);
        }

        @Override
        public DirectoryRingChanged at(String other) {
            return new DirectoryRingChanged(other, from, to, who);
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }
}

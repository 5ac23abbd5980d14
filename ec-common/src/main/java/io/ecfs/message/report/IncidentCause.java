package io.ecfs.message.report;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.Objects;
import java.util.Optional;

/**
 * Cause of an incident: why chunks are lost, or to be moved. A cause has at most one open incident at a time.
 *
 * @param datanode which died, or has the volume
 * @param volume which failed, or has the bad chunks
 * @param namenode whose facts are not those of the leader
 */
public record IncidentCause(
        Kind kind, Optional<DatanodeId> datanode, Optional<VolumeId> volume, Optional<String> namenode) {
    /** Kind of cause. Its constants have numbers in log and rows. */
    public enum Kind {
        /** No heartbeat for longer than suspicion and grace. */
        DATANODE_DEAD,
        /** An I/O failed, or its datanode no longer reports it. */
        VOLUME_FAILED,
        CHUNKS_CORRUPT,
        CHUNKS_MISSING,
        /** Groups were sealed with fewer chunks than their policy has. */
        CHUNKS_ABSENT,
        /** Planned: it is being decommissioned, and its chunks are moved. */
        DATANODE_LEAVING,
        /** In maintenance and stopped, and groups have no chunk to spare without it. */
        DATANODE_RESTING,
        /** Planned: chunks are moved from fuller volumes to emptier ones. */
        VOLUMES_UNEVEN,
        /** It serves reads and takes no change: its chunks are moved. */
        VOLUME_READ_ONLY,
        /** Planned: chunks are moved to where reading them costs less. */
        READS_COSTLY,
        /** Planned: bytes of files are rewritten into other groups. */
        FILES_REWRITTEN,
        /** Its facts are not those of the leader: it stops. */
        NAMENODE_DIVERGED,
        /** Chunks of a group contradict each other though their checksums match, and none is proven wrong. */
        GROUPS_DISPUTED,
        /** Planned: it leaves its ring, or the ring is dropped, and its chunks are moved. */
        VOLUME_LEAVING,
        /** The clock of a ring that it follows stays off by more than the guard: reads wait. No chunk is lost. */
        RING_CLOCK_OFF
    }

    /** Of datanodes and volumes. */
    public IncidentCause(Kind kind, Optional<DatanodeId> datanode, Optional<VolumeId> volume) {
        this(kind, datanode, volume, Optional.empty());
    }

    public IncidentCause {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(namenode, "namenode");
    }

    public static IncidentCause dead(DatanodeId datanode) {
        return new IncidentCause(Kind.DATANODE_DEAD, Optional.of(datanode), Optional.empty());
    }

    public static IncidentCause leaving(DatanodeId datanode) {
        return new IncidentCause(Kind.DATANODE_LEAVING, Optional.of(datanode), Optional.empty());
    }

    public static IncidentCause resting(DatanodeId datanode) {
        return new IncidentCause(Kind.DATANODE_RESTING, Optional.of(datanode), Optional.empty());
    }

    public static IncidentCause ringClockOff(DatanodeId datanode) {
        return new IncidentCause(Kind.RING_CLOCK_OFF, Optional.of(datanode), Optional.empty());
    }

    public static IncidentCause uneven() {
        return new IncidentCause(Kind.VOLUMES_UNEVEN, Optional.empty(), Optional.empty());
    }

    public static IncidentCause costly() {
        return new IncidentCause(Kind.READS_COSTLY, Optional.empty(), Optional.empty());
    }

    public static IncidentCause rewritten() {
        return new IncidentCause(Kind.FILES_REWRITTEN, Optional.empty(), Optional.empty());
    }

    public static IncidentCause onVolume(Kind kind, DatanodeId datanode, VolumeId volume) {
        return new IncidentCause(kind, Optional.of(datanode), Optional.of(volume));
    }

    public static IncidentCause diverged(String namenode) {
        return new IncidentCause(Kind.NAMENODE_DIVERGED, Optional.empty(), Optional.empty(), Optional.of(namenode));
    }

    public static IncidentCause disputed() {
        return new IncidentCause(Kind.GROUPS_DISPUTED, Optional.empty(), Optional.empty());
    }

    public static IncidentCause absent() {
        return new IncidentCause(Kind.CHUNKS_ABSENT, Optional.empty(), Optional.empty());
    }

    /** Returns whether it lasts after everything was healed: a datanode stays dead. It is no new incident then. */
    public boolean lasting() {
        return kind == Kind.DATANODE_DEAD || kind == Kind.VOLUME_FAILED || kind == Kind.VOLUME_READ_ONLY;
    }

    /** Returns whether chunks are moved, or files rewritten, without any loss. */
    public boolean planned() {
        return kind == Kind.DATANODE_LEAVING
                || kind == Kind.VOLUMES_UNEVEN
                || kind == Kind.VOLUME_READ_ONLY
                || kind == Kind.VOLUME_LEAVING
                || kind == Kind.READS_COSTLY
                || kind == Kind.FILES_REWRITTEN;
    }

    /** Text for operators. */
    public String text() {
        String where = volume.map(v -> "volume " + v).orElse("")
                + datanode.map(d -> " of " + d).orElse("");
        return switch (kind) {
            case DATANODE_DEAD -> "datanode " + datanode.map(DatanodeId::name).orElse("?") + " is dead";
            case VOLUME_FAILED -> where + " failed";
            case VOLUME_LEAVING -> where + " leaves its ring";
            case VOLUME_READ_ONLY -> where + " takes no change any more";
            case CHUNKS_CORRUPT -> "corrupt chunks on " + where;
            case CHUNKS_MISSING -> "missing chunks on " + where;
            case CHUNKS_ABSENT -> "groups sealed without all chunks";
            case DATANODE_LEAVING ->
                "decommissioning of datanode " + datanode.map(DatanodeId::name).orElse("?");
            case VOLUMES_UNEVEN -> "volumes are filled unevenly";
            case READS_COSTLY -> "chunks lie where reading them costs more than elsewhere";
            case FILES_REWRITTEN -> "files are converted, cleaned or joined";
            case GROUPS_DISPUTED -> "chunks of groups contradict each other, and none is proven wrong";
            case NAMENODE_DIVERGED -> "the facts of namenode " + namenode.orElse("?") + " are not those of the leader";
            case RING_CLOCK_OFF ->
                "the ring clock of datanode " + datanode.map(DatanodeId::name).orElse("?") + " is off";
            case DATANODE_RESTING ->
                "datanode " + datanode.map(DatanodeId::name).orElse("?")
                        + " is in maintenance, and groups need its chunks";
        };
    }
}

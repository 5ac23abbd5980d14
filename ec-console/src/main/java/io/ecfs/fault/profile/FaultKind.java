package io.ecfs.fault.profile;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A fault that can be injected, and what it can be injected into. Profiles write it with hyphens. */
public enum FaultKind {
    /** SIGKILL; its files stay. */
    KILL(Target.PROCESS),
    /** SIGTERM: an orderly stop. */
    STOP(Target.PROCESS),
    /** SIGSTOP, sockets open. */
    FREEZE(Target.PROCESS),
    /** No byte passes between the datanode and its peers. */
    PARTITION(Target.LINK),
    /** What peers send does not arrive. */
    PARTITION_IN(Target.LINK),
    /** What it sends does not arrive. */
    PARTITION_OUT(Target.LINK),
    /** Each byte arrives later. */
    SLOW_LINK(Target.LINK),
    /** Some segments are lost and sent again after the retransmission timeout. */
    LOSSY_LINK(Target.LINK),
    /** The device below the volume is gone. */
    REMOVE_DEVICE(Target.DISK),
    /** Calls to the volume do not return until the fault ends. */
    HANG_DEVICE(Target.DISK),
    /** Each call to the volume takes longer. */
    SLOW_DEVICE(Target.DISK),
    /** Each read of the volume fails (EIO). */
    READ_ERRORS(Target.DISK),
    /** No byte is free (ENOSPC). */
    FILL_DISK(Target.DISK),
    /** The volume takes no change (EROFS, EPERM). */
    READ_ONLY(Target.DISK),
    /** A bit of a chunk's bytes changes. */
    FLIP_DATA(Target.CHUNK),
    /** A bit of a chunk's checksums changes. */
    FLIP_CHECKSUM(Target.CHUNK),
    /** The file of a chunk's bytes loses its end. */
    CUT(Target.CHUNK),
    /** The file of a chunk's bytes is deleted. */
    DELETE(Target.CHUNK),
    /** The files of two chunks of a volume change places. */
    SWAP(Target.CHUNK),
    /** Other bytes, whose checksums match. */
    FORGE(Target.CHUNK);

    /** What a fault is injected into. */
    public enum Target {
        PROCESS,
        LINK,
        DISK,
        /** One chunk on each victim's volume. */
        CHUNK
    }

    private final Target target;

    FaultKind(Target target) {
        this.target = target;
    }

    public Target target() {
        return target;
    }

    /** Levels of victims that it can be injected at. */
    public Set<Level> levels() {
        return switch (target) {
            case PROCESS -> EnumSet.of(Level.DATANODE, Level.RACK, Level.NAMENODE, Level.LEADER);
            case LINK -> EnumSet.of(Level.DATANODE, Level.RACK);
            case DISK -> EnumSet.of(Level.VOLUME, Level.DATANODE, Level.RACK);
            case CHUNK -> EnumSet.of(Level.VOLUME);
        };
    }

    /**
     * Whether its victims' chunks are gone, or may be at any moment, for as long as it lasts and until it is healed.
     */
    public boolean takesChunksAway() {
        return this != SLOW_LINK && this != LOSSY_LINK && this != SLOW_DEVICE && this != FILL_DISK && this != READ_ONLY;
    }

    /**
     * Whether the datanodes of its victims start again when it is undone, with all their volumes: a volume that failed
     * stays out of service until then.
     */
    public boolean restartsDatanodes() {
        return target == Target.DISK && this != SLOW_DEVICE && this != FILL_DISK;
    }

    /** Whether the cluster rebuilds what it takes away while it lasts; otherwise all is well only when it is undone. */
    public boolean healsWhileItLasts() {
        return switch (this) {
            case KILL, STOP, FREEZE, PARTITION, PARTITION_OUT, REMOVE_DEVICE, READ_ERRORS -> true;
            case FLIP_DATA, FLIP_CHECKSUM, CUT, DELETE, SWAP, FORGE -> true;
            case PARTITION_IN, SLOW_LINK, LOSSY_LINK, HANG_DEVICE, SLOW_DEVICE, FILL_DISK, READ_ONLY -> false;
        };
    }

    /**
     * Whether readers may get wrong bytes until the cluster has found out: checksums match what is stored, and only a
     * comparison with the parity tells.
     */
    public boolean deceivesReaders() {
        return this == FORGE || this == SWAP;
    }

    /** As profiles write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** All words. */
    public static List<String> words() {
        return Arrays.stream(values()).map(FaultKind::word).toList();
    }
}

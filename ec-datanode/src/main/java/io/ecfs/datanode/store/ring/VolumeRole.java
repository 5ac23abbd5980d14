package io.ecfs.datanode.store.ring;

/**
 * What a volume does at present.
 *
 * <pre>
 *   OUTSIDE --joins--> SETTLING
 *   READING --turn--> DRAINING_READS --quiet--> WRITING --before the turn, or drained--> SETTLING
 *   SETTLING --synced, quiet--> READING;  DRAINING_READS --turn--> READING;  any --leaves--> OUTSIDE
 * </pre>
 */
public enum VolumeRole {
    /** In no ring: changes go to the device, and what is staged does too. */
    OUTSIDE,
    /** Changes are staged. */
    READING,
    /** Changes are staged; reads that came before the turn are served before the device is written. */
    DRAINING_READS,
    /** What is staged goes to the device, and so do changes of other files. */
    WRITING,
    /** Changes are staged; what the device got is synced, and the device comes to rest. */
    SETTLING;

    /** Returns whether the table has the transition. */
    boolean mayBecome(VolumeRole next) {
        return switch (this) {
            case OUTSIDE -> next == SETTLING;
            case READING -> next == DRAINING_READS || next == OUTSIDE;
            case DRAINING_READS -> next == WRITING || next == READING || next == OUTSIDE;
            case WRITING -> next == SETTLING || next == OUTSIDE;
            case SETTLING -> next == READING || next == OUTSIDE;
        };
    }

    /** Returns whether changes of files with nothing staged go to the device. */
    boolean passes() {
        return this == OUTSIDE || this == WRITING;
    }

    /** Returns whether readers should rather read elsewhere. */
    public boolean slowsReads() {
        return this == DRAINING_READS || this == WRITING || this == SETTLING;
    }
}

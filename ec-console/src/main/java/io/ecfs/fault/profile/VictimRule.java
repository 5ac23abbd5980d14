package io.ecfs.fault.profile;

import io.ecfs.code.CodeFamily;
import io.ecfs.code.CodeSpec;
import java.util.Objects;

/**
 * Which sets of victims are legal, and which of them is taken.
 *
 * @param level of one victim
 * @param count of victims of one fault
 * @param of where they come from
 * @param place where victims lie to each other; of datanodes and volumes
 * @param chunks kind of chunk of the first group that each victim stores ({@link Chunks#ANY}: any, or none)
 * @param plan which of the legal sets, by the bytes that its repair reads
 */
public record VictimRule(Level level, int count, VictimSource of, Place place, Chunks chunks, Plan plan) {
    /** Most victims of one fault: as many as a group has chunks. */
    private static final int MOST = 255;

    /** Where victims lie to each other. */
    public enum Place {
        ANY,
        SAME_RACK,
        DIFFERENT_RACKS
    }

    /** Kind of the chunks that victims store. */
    public enum Chunks {
        ANY,
        DATA,
        PARITY,
        /** Of LRC: parity of one local group. */
        LOCAL_PARITY,
        /** Of LRC: parity of all data. */
        GLOBAL_PARITY;

        /** Whether a chunk of the code is of this kind. */
        public boolean includes(CodeSpec code, int index) {
            boolean data = index < code.dataChunks();
            boolean global = code.family() == CodeFamily.LRC
                    && index >= code.chunks() - code.parameters().get(2);
            return switch (this) {
                case ANY -> true;
                case DATA -> data;
                case PARITY -> !data;
                case LOCAL_PARITY -> code.family() == CodeFamily.LRC && !data && !global;
                case GLOBAL_PARITY -> global;
            };
        }
    }

    /** Cost of the repair of what a set of victims stores, by the plans of the code. */
    public enum Plan {
        ANY,
        CHEAPEST,
        DEAREST
    }

    public VictimRule {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(of, "of");
        Objects.requireNonNull(place, "place");
        Objects.requireNonNull(chunks, "chunks");
        Objects.requireNonNull(plan, "plan");
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("count must be from 1 to " + MOST + ", got " + count
                    + "; nearest valid is " + Math.max(1, Math.min(MOST, count)));
        }
        if (level == Level.LEADER && count > 1) {
            throw new IllegalArgumentException(
                    "one namenode leads, got count " + count + " of level leader; nearest valid is 1");
        }
        boolean choosy = place != Place.ANY || chunks != Chunks.ANY || plan != Plan.ANY;
        if (!level.storesChunks()
                && (choosy || of.kind() == VictimSource.Kind.GROUP || of.kind() == VictimSource.Kind.FILE)) {
            throw new IllegalArgumentException("a " + level.word()
                    + " stores no chunks: place, chunks, plan, group:N and file:PATH are for volume, datanode"
                    + " and rack");
        }
        if (level == Level.RACK && place != Place.ANY) {
            throw new IllegalArgumentException("racks lie in no rack: place is for volume and datanode");
        }
    }

    public static VictimRule defaults() {
        return new VictimRule(Level.DATANODE, 1, VictimSource.FULLEST, Place.ANY, Chunks.ANY, Plan.ANY);
    }
}

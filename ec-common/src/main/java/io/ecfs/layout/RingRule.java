package io.ecfs.layout;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import java.util.List;

/**
 * The rule of {@link Ring#legal} for groups of which chunks have no place at present, and the most writers that a group
 * bears. Pure.
 */
public final class RingRule {
    /** Colour of a chunk that has no place. */
    public static final int ABSENT = -1;

    private RingRule() {}

    /**
     * The most writers with which a group can be read at each position without a volume that writes; 0 when there is no
     * such number. A chunk without a place counts as readable: it is rebuilt where the rule allows it.
     *
     * @param colourOf of each chunk's volume in index order, or {@link #ABSENT}
     */
    public static int mostWriters(CodeSpec code, int colours, List<Integer> colourOf) {
        for (int writers = colours - 1; writers > 0; writers--) {
            if (bearable(new Ring(colours, writers), code, colourOf)) {
                return writers;
            }
        }
        return 0;
    }

    /** Returns whether the group is readable at each position if chunks without a place are. */
    public static boolean bearable(Ring ring, CodeSpec code, List<Integer> colourOf) {
        for (int position = 0; position < ring.colours(); position++) {
            ChunkSet reading = ChunkSet.empty();
            for (int index = 0; index < colourOf.size(); index++) {
                if (colourOf.get(index) == ABSENT || !ring.writes(colourOf.get(index), position)) {
                    reading = reading.with(index);
                }
            }
            if (!code.decodable(reading)) {
                return false;
            }
        }
        return true;
    }
}

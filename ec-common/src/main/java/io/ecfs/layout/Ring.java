package io.ecfs.layout;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Volumes that take turns in writing: each has one of {@code colours} colours, and of those {@code writers} write at a
 * time while all others only read (eRails, section 4: the RAIL's drives and its window). At position {@code p} the
 * colours {@code p} to {@code p + colours - writers - 1} read, modulo {@code colours}, so at each turn one colour
 * begins to read and another one to write. Pure: positions come from a {@code RingClock}.
 *
 * @param colours at least 2
 * @param writers how many colours write at each position, 1 to {@code colours - 1}
 */
public record Ring(int colours, int writers) {
    /** Colours are numbers below this: as many as a group can have chunks. */
    public static final int MOST_COLOURS = ChunkSet.LIMIT;

    /**
     * Colour of a chunk that has no place at present. It counts as readable: it is rebuilt where the rule allows it.
     */
    public static final int ABSENT = -1;

    public Ring {
        if (colours < 2 || colours > MOST_COLOURS) {
            throw new IllegalArgumentException("a ring has 2 to " + MOST_COLOURS + " colours, not " + colours);
        }
        if (writers < 1 || writers >= colours) {
            throw new IllegalArgumentException(
                    "of " + colours + " colours 1 to " + (colours - 1) + " write at a time, not " + writers);
        }
    }

    /** Returns whether volumes of a colour write at a position; otherwise they only read. */
    public boolean writes(int colour, int position) {
        return Math.floorMod(colour - position, colours) >= colours - writers;
    }

    /** How many turns after {@code position} a colour that writes begins to read, 0 when it reads. */
    public int turnsUntilReading(int colour, int position) {
        return writes(colour, position) ? Math.floorMod(colour - position, colours) - (colours - writers) + 1 : 0;
    }

    /**
     * The chunks of a group that lie on reading volumes, or are absent.
     *
     * @param colourOf of each chunk's volume in index order, or {@link #ABSENT}
     */
    public ChunkSet reading(List<Integer> colourOf, int position) {
        ChunkSet reading = ChunkSet.empty();
        for (int index = 0; index < colourOf.size(); index++) {
            int colour = colourOf.get(index);
            if (colour == ABSENT || !writes(colour, position)) {
                reading = reading.with(index);
            }
        }
        return reading;
    }

    /**
     * Returns whether a group tolerates the writers: at each position its chunks on reading volumes decode it (eRails,
     * figure 8, for any code).
     *
     * @param colourOf as of {@link #reading}
     */
    public boolean toleratedBy(CodeSpec code, List<Integer> colourOf) {
        for (int position = 0; position < colours; position++) {
            if (!code.decodable(reading(colourOf, position))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The colours of a group's chunks by index, those to be tried first first; a group tolerates as many writers with
     * all rotations of one of them. One after the other around the ring, or in blocks: with which of them it tolerates
     * more depends on its local groups, for a code of more chunks than colours.
     */
    public static List<List<Integer>> patterns(CodeSpec code, int colours) {
        return List.of(
                pattern(code, index -> index % colours), pattern(code, index -> index * colours / code.chunks()));
    }

    private static List<Integer> pattern(CodeSpec code, IntUnaryOperator colour) {
        return IntStream.range(0, code.chunks()).map(colour).boxed().toList();
    }

    /** The most writers that groups of this code tolerate with one of the {@link #patterns}; 0: none. */
    public static int mostWriters(CodeSpec code, int colours) {
        return patterns(code, colours).stream()
                .mapToInt(colourOf -> mostWriters(code, colours, colourOf))
                .max()
                .orElse(0);
    }

    /**
     * The most writers that a group tolerates; 0: none.
     *
     * @param colourOf as of {@link #reading}
     */
    public static int mostWriters(CodeSpec code, int colours, List<Integer> colourOf) {
        for (int writers = colours - 1; writers > 0; writers--) {
            if (new Ring(colours, writers).toleratedBy(code, colourOf)) {
                return writers;
            }
        }
        return 0;
    }
}

package io.ecfs.client.access;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.GroupId;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import java.util.Arrays;
import java.util.List;

/**
 * Cache key of a plan for a block: all that the plan depends on except the costs, that is the needed chunks, their
 * locations and standings. A chunk that moves, is lost or becomes suspect changes the key, so that no outdated plan is
 * found.
 */
public final class BlockKey {
    /** A chunk takes so many numbers: its index with its standing, and its site. */
    private static final int NUMBERS = 2;

    private static final int STANDINGS = 1 << 16;

    private final long group;
    private final int least;
    private final ChunkSet direct;
    private final int[] places;
    private final int hash; // it is asked for again and again

    private BlockKey(long group, int least, ChunkSet direct, int[] places) {
        this.group = group;
        this.least = least;
        this.direct = direct;
        this.places = places;
        this.hash = 31 * (31 * (31 * Long.hashCode(group) + least) + direct.hashCode()) + Arrays.hashCode(places);
    }

    public static BlockKey of(GroupId group, BlockNeed need) {
        List<Candidate> candidates = need.candidates();
        int[] places = new int[NUMBERS * candidates.size()];
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            places[NUMBERS * i] = candidate.index() * STANDINGS + standing(candidate.extra());
            places[NUMBERS * i + 1] = candidate.site();
        }
        return new BlockKey(group.value(), need.least(), need.direct(), places);
    }

    /** Additional cost of the chunk, in coarse steps, so that measurements do not change the key. */
    private static int standing(double extra) {
        return extra == 0 ? 0 : (int) Math.round(Math.log10(1 + extra));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockKey that
                && hash == that.hash
                && least == that.least
                && group == that.group
                && direct.equals(that.direct)
                && Arrays.equals(places, that.places);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return new GroupId(group) + ": " + least + " of " + Arrays.toString(places);
    }
}

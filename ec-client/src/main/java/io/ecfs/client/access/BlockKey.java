package io.ecfs.client.access;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.GroupId;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import java.util.List;
import java.util.Objects;

/**
 * What a plan for a block depends on, but for the costs: what is needed of it, where its chunks are and how they stand. A chunk that moves, is lost
 * or falls into doubt makes another key, so that no plan outlives what it was made for.
 */
public final class BlockKey {
    /** @param extra what taking the chunk costs besides, in coarse steps: a standing, not a measurement */
    private record Place(int index, int site, int volume, int extra) {}

    private final GroupId group;
    private final int least;
    private final ChunkSet direct;
    private final List<Place> places;
    private final int hash; // it is asked for again and again

    private BlockKey(GroupId group, int least, ChunkSet direct, List<Place> places) {
        this.group = group;
        this.least = least;
        this.direct = direct;
        this.places = places;
        this.hash = Objects.hash(group, least, direct, places);
    }

    public static BlockKey of(GroupId group, BlockNeed need) {
        return new BlockKey(
                group,
                need.least(),
                need.direct(),
                need.candidates().stream().map(BlockKey::place).toList());
    }

    private static Place place(Candidate c) {
        return new Place(c.index(), c.site(), c.volume(), (int) Math.round(Math.log10(1 + c.extra())));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockKey that
                && hash == that.hash
                && least == that.least
                && group.equals(that.group)
                && direct.equals(that.direct)
                && places.equals(that.places);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return group + ": " + least + " of " + places;
    }
}

package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import java.util.List;
import java.util.Optional;

/**
 * The sources of a maximally recoverable code with local groups. Chunks determine another one in two ways only: the
 * rest of its group does, or the chunks determine everything. So the cheapest sources are the groups of all lost
 * chunks, or else k independent chunks, and the lowest k of these are found by taking every chunk that the ones before
 * it do not determine.
 */
final class LocalSources implements SourceChoice {
    private final int k;
    private final List<ChunkSet> groups;

    /** @param groups of chunks that sum to zero; they share none */
    LocalSources(int k, List<ChunkSet> groups) {
        this.k = k;
        this.groups = List.copyOf(groups);
    }

    @Override
    public Optional<ChunkSet> cheapest(ChunkSet lost, ChunkSet available) {
        ChunkSet local = ChunkSet.empty();
        ChunkSet beyondGroups = lost;
        for (ChunkSet group : groups) {
            if (group.minus(available).size() == 1 && !group.intersection(lost).isEmpty()) {
                local = local.union(group.intersection(available));
                beyondGroups = beyondGroups.minus(group);
            }
        }
        return beyondGroups.isEmpty() ? Optional.of(local) : independent(available);
    }

    private Optional<ChunkSet> independent(ChunkSet available) {
        ChunkSet chosen = ChunkSet.empty();
        for (int index : available) {
            ChunkSet more = chosen.with(index);
            if (chosen.size() < k && groups.stream().noneMatch(more::containsAll)) {
                chosen = more;
            }
        }
        return chosen.size() == k ? Optional.of(chosen) : Optional.empty();
    }
}

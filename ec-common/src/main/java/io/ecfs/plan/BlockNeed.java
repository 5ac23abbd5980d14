package io.ecfs.plan;

import io.ecfs.code.ChunkSet;
import java.util.List;
import java.util.Objects;

/**
 * Need of one block: any {@code least} of the candidates, or all of {@code direct}.
 *
 * @param least k of the code, and the further chunks of late binding
 * @param direct chunks that suffice together although they are fewer: the data chunks with the wanted bytes, when not
 *     all k have some. Empty when there is no such set. Nothing is known of one that is not among the candidates, and
 *     it makes this way unusable
 * @param candidates each index once
 */
public record BlockNeed(int least, ChunkSet direct, List<Candidate> candidates) {
    public BlockNeed {
        Objects.requireNonNull(direct, "direct");
        candidates = List.copyOf(candidates);
        if (least < 1) {
            throw new IllegalArgumentException("a block needs at least one chunk, not " + least);
        }
        int[] indexes = new int[candidates.size()];
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] = candidates.get(i).index();
        }
        ChunkSet seen = ChunkSet.of(indexes);
        if (seen.size() != indexes.length) {
            throw new IllegalArgumentException("a chunk is a candidate twice: " + candidates);
        }
        if (!direct.isEmpty() && !seen.containsAll(direct)) {
            direct = ChunkSet.empty();
        }
    }

    /** Any {@code least} of these. */
    public static BlockNeed anyOf(int least, List<Candidate> candidates) {
        return new BlockNeed(least, ChunkSet.empty(), candidates);
    }

    /** Returns whether some choice among the candidates is enough. */
    public boolean feasible() {
        return candidates.size() >= least || !direct.isEmpty();
    }

    /** Returns whether these chunks, all of them candidates, are enough. */
    public boolean satisfiedBy(ChunkSet chunks) {
        return chunks.size() >= least || (!direct.isEmpty() && chunks.containsAll(direct));
    }
}

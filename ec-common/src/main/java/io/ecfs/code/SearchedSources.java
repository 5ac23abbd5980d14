package io.ecfs.code;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The sources of any scalar code of few chunks, by search.
 *
 * <p>Relations are words y with sum y_i chunk_i = 0 over lost and available chunks. They are brought to a form in which each lost chunk
 * has a relation of its own, and e more relations, the spare ones, have no lost chunk. Adding a spare relation to all others takes
 * one available chunk out of them: every least set of sources comes from choosing e chunks to do without, so the search
 * tries these choices, of which there are as many as e chunks can be taken out of the available ones.
 */
final class SearchedSources implements SourceChoice {
    private final Matrix generator;

    /** @param generator n x k */
    SearchedSources(Matrix generator) {
        this.generator = generator;
    }

    @Override
    public Optional<ChunkSet> cheapest(ChunkSet lost, ChunkSet available) {
        int[] order = IntStream.concat(lost.stream(), available.stream()).toArray();
        Matrix relations = generator.select(order).leftKernel();
        for (int i = 0; i < lost.size(); i++) {
            if (i >= relations.rows() || relations.at(i, i) == 0) {
                return Optional.empty();
            }
        }
        Search search = new Search(order, lost.size());
        search.without(lost.size(), relations);
        return Optional.of(ChunkSet.of(search.best));
    }

    private static final class Search {
        private final int[] order;
        private final int lost;
        private int[] best;

        Search(int[] order, int lost) {
            this.order = order;
            this.lost = lost;
        }

        /** Tries all choices of chunks to do without from position {@code from} on, one for each spare relation. */
        void without(int from, Matrix relations) {
            if (relations.rows() == lost) {
                offer(IntStream.range(lost, order.length)
                        .filter(c -> IntStream.range(0, lost).anyMatch(r -> relations.at(r, c) != 0))
                        .map(c -> order[c])
                        .toArray());
                return;
            }
            for (int column = from; column < order.length; column++) {
                int c = column;
                IntStream.range(lost, relations.rows())
                        .filter(spare -> relations.at(spare, c) != 0)
                        .findFirst()
                        .ifPresent(spare -> without(c + 1, relations.eliminate(spare, c)));
            }
        }

        private void offer(int[] sources) {
            boolean fewer = best == null || sources.length < best.length;
            if (fewer || (sources.length == best.length && Arrays.compare(sources, best) < 0)) {
                best = sources;
            }
        }
    }
}

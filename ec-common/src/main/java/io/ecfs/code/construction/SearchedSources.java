package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.field.Matrix;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The sources of any scalar code of few chunks, by search.
 *
 * <p>Relations are words y with sum y_i chunk_i = 0 over lost and available chunks. They are brought to a form in which
 * each lost chunk has a relation of its own, and the others, the spare ones, have no lost chunk. Adding a spare
 * relation to all others takes one available chunk out of them. The search goes through the available chunks once and
 * reads each, or does without it at the cost of a spare relation; when none is left, what the relations of the lost
 * chunks still have is read. It asks for one source, then for two, and so on; reading is tried before doing without, so
 * the first answer has the lowest indexes.
 */
final class SearchedSources implements SourceChoice {
    private final Matrix generator;

    /** @param generator n x k, with n of at most 64 */
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
        Search search = new Search(lost.size(), order.length);
        OptionalLong found = OptionalLong.empty();
        for (int most = 1; found.isEmpty(); most++) {
            found = search.from(lost.size(), relations, 0, most);
        }
        long sources = found.getAsLong();
        return Optional.of(ChunkSet.of(IntStream.range(0, order.length)
                .filter(position -> (sources >>> position & 1) != 0)
                .map(position -> order[position])
                .toArray()));
    }

    private record Search(int lost, int positions) {
        /**
         * @param first the position from which on chunks are not decided
         * @param read the positions of chunks that are read
         * @param most so many chunks may be read
         * @return all positions that are read
         */
        OptionalLong from(int first, Matrix undecided, long read, int most) {
            Matrix relations = undecided;
            long reads = read;
            for (int position = first; position < positions; position++) {
                if (Long.bitCount(reads) > most) {
                    return OptionalLong.empty();
                }
                int spare = nonZero(relations, position, lost, relations.rows());
                if (spare >= 0) {
                    OptionalLong found = from(position + 1, relations, reads | 1L << position, most);
                    if (found.isPresent()) {
                        return found;
                    }
                    relations = relations.eliminate(spare, position);
                } else if (nonZero(relations, position, 0, lost) >= 0) {
                    reads |= 1L << position;
                }
            }
            return Long.bitCount(reads) <= most ? OptionalLong.of(reads) : OptionalLong.empty();
        }

        private static int nonZero(Matrix relations, int column, int from, int to) {
            for (int row = from; row < to; row++) {
                if (relations.at(row, column) != 0) {
                    return row;
                }
            }
            return -1;
        }
    }
}

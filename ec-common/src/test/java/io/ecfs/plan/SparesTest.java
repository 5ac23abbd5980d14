package io.ecfs.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SparesTest {
    private static final SiteCosts COSTS = new SiteCosts() {
        @Override
        public double access(int site) {
            return 10 * site;
        }

        @Override
        public double perByte(int site) {
            return 1;
        }
    };

    private static BlockNeed block(int least, int... sites) {
        return BlockNeed.anyOf(
                least,
                IntStream.range(0, sites.length)
                        .mapToObj(i -> new Candidate(i, sites[i], 5))
                        .toList());
    }

    @Test
    void theCheapestBesideThePlanAreSpare() {
        List<BlockNeed> blocks = List.of(block(2, 9, 1, 4, 7), block(1, 3, 2, 8));
        List<ChunkSet> chunks = List.of(ChunkSet.of(1, 2), ChunkSet.of(1));
        assertThat(Spares.beside(blocks, chunks, 1, COSTS)).containsExactly(ChunkSet.of(3), ChunkSet.of(0));
        assertThat(Spares.beside(blocks, chunks, 0, COSTS)).containsOnly(ChunkSet.empty());
    }

    @Test
    void whereFewerAreLeftThereAreFewer() {
        assertThat(Spares.beside(List.of(block(2, 1, 2, 3)), List.of(ChunkSet.of(0, 1)), 2, COSTS))
                .containsExactly(ChunkSet.of(2));
        assertThat(Spares.beside(List.of(block(2, 1, 2)), List.of(ChunkSet.of(0, 1)), 2, COSTS))
                .containsExactly(ChunkSet.empty());
    }
}

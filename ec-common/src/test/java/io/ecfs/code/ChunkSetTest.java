package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChunkSetTest {
    @Test
    void behavesAsATreeSet() {
        long seed = 99;
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            TreeSet<Integer> a = new TreeSet<>();
            TreeSet<Integer> b = new TreeSet<>();
            random.ints(random.nextInt(40), 0, ChunkSet.LIMIT).forEach(a::add);
            random.ints(random.nextInt(40), 0, ChunkSet.LIMIT).forEach(b::add);
            ChunkSet x = ChunkSet.of(a);
            ChunkSet y = ChunkSet.of(b);
            TreeSet<Integer> union = new TreeSet<>(a);
            union.addAll(b);
            TreeSet<Integer> both = new TreeSet<>(a);
            both.retainAll(b);
            TreeSet<Integer> only = new TreeSet<>(a);
            only.removeAll(b);
            assertThat(x).as("seed %s", seed).containsExactlyElementsOf(a);
            assertThat(x.size()).isEqualTo(a.size());
            assertThat(x.union(y)).containsExactlyElementsOf(union).isEqualTo(ChunkSet.of(union));
            assertThat(x.intersection(y)).containsExactlyElementsOf(both);
            assertThat(x.minus(y)).containsExactlyElementsOf(only);
            assertThat(x.containsAll(y)).isEqualTo(a.containsAll(b));
            assertThat(x.lowest(5))
                    .containsExactlyElementsOf(a.stream().limit(5).toList());
            assertThat(ChunkSet.of(only).union(ChunkSet.of(both))).isEqualTo(x).hasSameHashCodeAs(x);
        }
    }

    @Test
    void holdsTheFirstAndTheLastIndexAndNoOther() {
        ChunkSet edges = ChunkSet.of(254, 0, 63, 64);
        assertThat(edges).hasToString("{0,63,64,254}").containsExactly(0, 63, 64, 254);
        assertThat(edges.contains(255)).isFalse();
        assertThat(edges.contains(-1)).isFalse();
        assertThat(edges.without(63).with(1)).containsExactly(0, 1, 64, 254);
        assertThat(ChunkSet.empty()).isEqualTo(ChunkSet.of()).isEmpty();
        assertThatThrownBy(() -> ChunkSet.of(255)).hasMessage("chunk index 255 is not in [0, 255)");
        assertThatThrownBy(() -> ChunkSet.of(-1)).hasMessage("chunk index -1 is not in [0, 255)");
    }
}

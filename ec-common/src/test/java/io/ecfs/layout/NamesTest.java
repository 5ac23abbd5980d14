package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What names of chunks, inodes and extents may be, how they are ordered, and how people read them. */
class NamesTest {
    private static final GroupId GROUP = new GroupId(17);

    private static void assertRefused(Runnable construction) {
        assertThatThrownBy(construction::run).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aChunkIndexFitsAByteAndAGenerationIsNotNegative() {
        assertThat(new ChunkId(GROUP, 0, 0).index()).isZero();
        assertThat(new ChunkId(GROUP, Policy.MAX_CHUNKS - 1, 0).index()).isEqualTo(Policy.MAX_CHUNKS - 1);
        assertRefused(() -> new ChunkId(GROUP, -1, 0));
        assertRefused(() -> new ChunkId(GROUP, Policy.MAX_CHUNKS, 0));
        assertRefused(() -> new ChunkId(GROUP, 0, -1));
    }

    @Test
    void chunksAreInTheOrderOfGroupIndexAndGeneration() {
        List<ChunkId> inOrder = List.of(
                new ChunkId(GROUP, 0, 0),
                new ChunkId(GROUP, 0, 1),
                new ChunkId(GROUP, 1, 0),
                new ChunkId(new GroupId(18), 0, 0));
        assertThat(Stream.of(3, 1, 2, 0).map(inOrder::get).sorted()).isEqualTo(inOrder);
    }

    @Test
    void aChunkIsNamedByGroupIndexAndGeneration() {
        assertThat(new ChunkId(GROUP, 3, 0)).hasToString("g17.3");
        assertThat(new ChunkId(GROUP, 3, 2)).hasToString("g17.3~2");
    }

    @Test
    void inodesArePositiveOrderedAndCalledByTheirNumber() {
        assertRefused(() -> new InodeId(0));
        assertThat(new InodeId(1)).isEqualTo(InodeId.ROOT).hasToString("i1");
        assertThat(Stream.of(3, 1, 2).map(InodeId::new).sorted().map(InodeId::value))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void anExtentHasAByteAndEndsWithinALong() {
        assertThat(new Extent(0, 1, GROUP, 0).fileEnd()).isEqualTo(1);
        assertThat(new Extent(Long.MAX_VALUE - 5, 5, GROUP, 0).fileEnd()).isEqualTo(Long.MAX_VALUE);
        assertRefused(() -> new Extent(-1, 1, GROUP, 0));
        assertRefused(() -> new Extent(0, 1, GROUP, -1));
        assertRefused(() -> new Extent(0, 0, GROUP, 0));
        assertThatThrownBy(() -> new Extent(Long.MAX_VALUE, 1, GROUP, 0)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> new Extent(0, 1, GROUP, Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
    }
}

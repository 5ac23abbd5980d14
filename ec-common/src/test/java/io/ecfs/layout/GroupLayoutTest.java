package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GroupLayoutTest {
    static Stream<String> policies() {
        return Stream.of(
                "rs-6-3-4k",
                "rs-3-2-8k",
                "rs-2-2-64k",
                "rs-10-4-4k",
                "xor-2-1-4k",
                "replication-3-4k",
                "lrc-4-2-1-4k",
                "clay-6-3-8-200k",
                "liberation-4-2-28k",
                "crs-4-2-4k");
    }

    // HORRORS 38 (SeaweedFS #8957), 20 (HDDS-6256).
    @ParameterizedTest
    @MethodSource("policies")
    // HDDS-6353, HDDS-6348
    void everyByteLiesWhereDealingThemOutOneByOnePutsIt(String name) {
        Policy policy = Policy.parse(name);
        for (long length : lengthsAtEdges(policy)) {
            GroupLayout layout = new GroupLayout(policy, length);
            long[] oracle = dealOut(policy, length);
            long[] actual = new long[oracle.length];
            int at = 0;
            for (CellRange cell : length == 0 ? List.<CellRange>of() : layout.cells(0, length)) {
                assertThat(cell.groupOffset()).isEqualTo(at);
                for (int i = 0; i < cell.bytes(); i++) {
                    actual[at++] = place(cell.chunkIndex(), cell.chunkOffset() + i);
                }
            }
            assertThat(at).isEqualTo(actual.length);
            if (!Arrays.equals(actual, oracle)) {
                assertThat(actual).as("%s of %d bytes", name, length).isEqualTo(oracle);
            }
            for (int index = 0; index < policy.dataChunks(); index++) {
                int chunk = index;
                assertThat(layout.chunkBytes(index))
                        .as("%s of %d bytes, chunk %d", name, length, index)
                        .isEqualTo(Arrays.stream(oracle)
                                .filter(place -> place >> Integer.SIZE == chunk)
                                .count());
            }
        }
    }

    /** Where one byte of a group lies, in one number. */
    private static long place(int chunk, long chunkOffset) {
        return (long) chunk << Integer.SIZE | chunkOffset;
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aRangeIsExactlyItsPartOfTheWhole(String name) {
        Policy policy = Policy.parse(name);
        long length = policy.stripeBytes() * 2 + policy.cellBytes() + 17;
        GroupLayout layout = new GroupLayout(policy, length);
        long[] marks = LongStream.concat(lengthsAtEdges(policy).stream().mapToLong(l -> l), LongStream.of(length))
                .filter(l -> l <= length)
                .toArray();
        for (long from : marks) {
            for (long to : marks) {
                if (from < to) {
                    List<CellRange> cells = layout.cells(from, to);
                    assertThat(cells.stream().mapToLong(CellRange::bytes).sum()).isEqualTo(to - from);
                    assertThat(cells).isEqualTo(clipped(layout.cells(0, length), from, to));
                }
            }
        }
    }

    private static List<CellRange> clipped(List<CellRange> whole, long from, long to) {
        List<CellRange> part = new ArrayList<>();
        for (CellRange cell : whole) {
            long begin = Math.max(from, cell.groupOffset());
            long end = Math.min(to, cell.groupOffset() + cell.bytes());
            if (begin < end) {
                long chunkOffset = cell.chunkOffset() + begin - cell.groupOffset();
                part.add(new CellRange(begin, cell.chunkIndex(), chunkOffset, (int) (end - begin), cell.stripe()));
            }
        }
        return part;
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aGroupIsTheSumOfItsStripesAndAChunkOfItsCells(String name) {
        Policy policy = Policy.parse(name);
        for (long length : lengthsAtEdges(policy)) {
            GroupLayout layout = new GroupLayout(policy, length);
            assertThat(layout.policy()).isEqualTo(policy);
            assertThat(layout.length()).isEqualTo(length);
            assertThat(layout.fullStripes() * policy.stripeBytes() + layout.tailBytes())
                    .isEqualTo(length);
            assertThat(layout.stripes()).isEqualTo((length + policy.stripeBytes() - 1) / policy.stripeBytes());
            long coded = 0;
            long[] stored = new long[policy.chunks()];
            for (long stripe = 0; stripe < layout.stripes(); stripe++) {
                assertThat(layout.cellOffset(stripe)).isEqualTo(coded);
                boolean full = (stripe + 1) * policy.stripeBytes() <= length;
                assertThat(layout.cellBytes(stripe)).isEqualTo(full ? policy.cellBytes() : layout.tailCellBytes());
                coded += layout.cellBytes(stripe);
                for (int index = 0; index < policy.chunks(); index++) {
                    stored[index] += layout.storedCellBytes(stripe, index);
                }
            }
            assertThat(layout.codedChunkBytes()).isEqualTo(coded);
            for (int index = 0; index < policy.chunks(); index++) {
                assertThat(layout.chunkBytes(index)).isEqualTo(stored[index]);
            }
        }
    }

    @Test
    void anEmptyGroupHasNothingAndAFullOneNoTail() {
        Policy policy = Policy.parse("rs-6-3-1024k");
        GroupLayout empty = new GroupLayout(policy, 0);
        assertThat(empty.stripes()).isZero();
        assertThat(empty.storedBytes()).isZero();
        GroupLayout full = new GroupLayout(policy, policy.groupBytes());
        assertThat(full.stripes()).isEqualTo(full.fullStripes()).isEqualTo(128);
        assertThat(full.chunkBytes(8)).isEqualTo(Policy.MAX_CHUNK_BYTES);
        assertThatThrownBy(() -> new GroupLayout(policy, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTailIsShorterThanAStripeAndItsCellsAtMostWhole() {
        Policy policy = Policy.parse("rs-6-3-4k");
        assertThat(GroupLayout.tailCellBytes(policy, 0)).isZero();
        assertThat(GroupLayout.tailCellBytes(policy, 1)).isEqualTo(64);
        assertThat(GroupLayout.tailCellBytes(policy, policy.stripeBytes() - 1)).isEqualTo(4096);
        assertThatThrownBy(() -> GroupLayout.tailCellBytes(policy, policy.stripeBytes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("" + policy.stripeBytes());
        assertThatThrownBy(() -> GroupLayout.tailCellBytes(policy, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void parityIsAsLongAsTheLongestDataChunkAndPaddingIsNotStored(String name) {
        Policy policy = Policy.parse(name);
        for (long length : lengthsAtEdges(policy)) {
            GroupLayout layout = new GroupLayout(policy, length);
            for (int index = policy.dataChunks(); index < policy.chunks(); index++) {
                assertThat(layout.chunkBytes(index)).isEqualTo(layout.codedChunkBytes());
            }
            long data = IntStream.range(0, policy.dataChunks())
                    .mapToLong(layout::chunkBytes)
                    .sum();
            assertThat(data).isEqualTo(length);
        }
    }

    @Test
    void smallFilesCostAsMuchPerByteAsLargeOnes() {
        Policy small = Policy.parse("rs-2-2-64k");
        Policy large = Policy.parse("rs-6-3-1024k");
        assertThat(new GroupLayout(small, 100 * 1024).storedBytes() / (100 * 1024.0))
                .isBetween(2.0, 2.02);
        assertThat(new GroupLayout(large, 700_000_000).storedBytes() / 700_000_000.0)
                .isBetween(1.5, 1.501);
    }

    // HORRORS 21 (HDDS-6295).
    @Test
    void lengthsBeyondAnIntDoNotOverflow() {
        Policy policy = Policy.parse("rs-20-4-1024k");
        long length = policy.groupBytes() - 1;
        assertThat(length).isGreaterThan(Integer.MAX_VALUE);
        GroupLayout layout = new GroupLayout(policy, length);
        CellRange last = layout.cells(length - 1, length).get(0);
        assertThat(last.chunkIndex()).isEqualTo(19);
        assertThat(last.chunkOffset()).isEqualTo(Policy.MAX_CHUNK_BYTES - 2);
    }

    @Test
    void aGroupLongerThanItsPolicyAllowsIsRefused() {
        Policy policy = Policy.parse("rs-6-3-1024k");
        assertThatThrownBy(() -> new GroupLayout(policy, policy.groupBytes() + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rs-6-3-1024k");
    }

    /** Finds the place of each byte by dealing bytes out one at a time. */
    private static long[] dealOut(Policy policy, long length) {
        long fullStripes = length / policy.stripeBytes();
        long tail = length % policy.stripeBytes();
        long share = (tail + policy.dataChunks() - 1) / policy.dataChunks();
        long alignment =
                policy.name().startsWith("clay") ? 27 * 16 : policy.name().startsWith("lib") ? 7 * 16 : 64;
        long tailCell = Math.min(policy.cellBytes(), (share + alignment - 1) / alignment * alignment);
        long[] places = new long[(int) length];
        for (int at = 0; at < length; at++) {
            long stripe = Math.min(at / policy.stripeBytes(), fullStripes);
            long cell = stripe < fullStripes ? policy.cellBytes() : tailCell;
            long inStripe = at - stripe * policy.stripeBytes();
            places[at] = place((int) (inStripe / cell), stripe * policy.cellBytes() + inStripe % cell);
        }
        return places;
    }

    private static SortedSet<Long> lengthsAtEdges(Policy policy) {
        TreeSet<Long> lengths = new TreeSet<>();
        for (long edge : new long[] {
            0,
            64L * policy.dataChunks(),
            policy.cellBytes(),
            policy.stripeBytes() - policy.cellBytes(),
            policy.stripeBytes(),
            2 * policy.stripeBytes()
        }) {
            for (long length = Math.max(0, edge - 1); length <= edge + 1; length++) {
                lengths.add(length);
            }
        }
        return lengths;
    }
}

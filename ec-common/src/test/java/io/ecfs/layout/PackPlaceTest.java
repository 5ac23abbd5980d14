package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackPlaceTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final long CELL = POLICY.cellBytes();

    private static void assertPlace(Policy policy, long end, long bytes, long begin) {
        long cell = policy.cellBytes();
        assertThat(begin).isGreaterThanOrEqualTo(end);
        assertThat(begin % PackPlace.ALIGNMENT).isZero();
        if (bytes <= cell) {
            assertThat((begin + bytes - 1) / cell).isEqualTo(begin / cell);
            assertThat(begin - end).isLessThan(PackPlace.ALIGNMENT + bytes);
        } else {
            assertThat(begin - end).isLessThan(PackPlace.ALIGNMENT);
        }
    }

    /** Every end around the edges of three cells, and lengths around those of one. */
    @Test
    void aFileBeginsAlignedAndWithinOneCellIfItFitsOne() {
        for (long end = 0; end < 3 * CELL; end += 1021) {
            for (long bytes : new long[] {1, 4095, 4096, 4097, CELL / 2, CELL - 1, CELL, CELL + 1, 2 * CELL}) {
                assertPlace(POLICY, end, bytes, PackPlace.begin(POLICY, end, bytes));
            }
        }
    }

    /** Every order of four of these lengths. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-2-1-4k", "rs-3-2-8k", "replication-2-12k"})
    void filesOneBehindTheOtherNeverOverlapNorCrossCells(String name) {
        Policy policy = Policy.parse(name);
        int cell = policy.cellBytes();
        List<Integer> lengths = List.of(1, 4095, 4096, 4097, cell - 1, cell, cell + 1, 2 * cell, 3 * cell + 5000);
        List<List<Integer>> orders = List.of(List.of());
        for (int files = 0; files < 4; files++) {
            List<List<Integer>> longer = new ArrayList<>();
            for (List<Integer> order : orders) {
                for (int length : lengths) {
                    List<Integer> one = new ArrayList<>(order);
                    one.add(length);
                    longer.add(one);
                }
            }
            orders = longer;
        }
        for (List<Integer> order : orders) {
            long end = 0;
            for (int bytes : order) {
                long begin = PackPlace.begin(policy, end, bytes);
                assertPlace(policy, end, bytes, begin);
                end = begin + bytes;
            }
        }
    }

    /** So a group from which a file is left out is no longer than with it. */
    @Test
    void aPlaceIsNoEarlierBehindALaterEnd() {
        for (long bytes : new long[] {1, 4096, CELL / 2 + 1, CELL, CELL + 1}) {
            long before = 0;
            for (long end = 0; end < 2 * CELL + 2; end += 511) {
                long begin = PackPlace.begin(POLICY, end, bytes);
                assertThat(begin).isGreaterThanOrEqualTo(before);
                before = begin;
            }
        }
    }

    @Test
    void filesOfOneBlockLieOneBehindTheOther() {
        assertThat(PackPlace.begin(POLICY, 0, 10)).isZero();
        assertThat(PackPlace.begin(POLICY, 10, 10)).isEqualTo(4096);
        assertThat(PackPlace.begin(POLICY, 4096, 10)).isEqualTo(4096);
    }

    /** Lengths around pages and cells, placed one by one. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-2-1-4k", "rs-3-2-8k", "replication-2-12k", "clay-4-2-5-32k", "liberation-2-2-28k"})
    void theEndOfManyAlikeIsThatOfPlacingThemOneByOne(String name) {
        Policy policy = Policy.parse(name);
        for (long bytes : new long[] {1, 4095, 4096, 4097, 8191, 8192, 8193, 12_288, 12_289, 28_672, 32_768, 32_769}) {
            long end = 0;
            for (int files = 1; files <= 30; files++) {
                end = PackPlace.begin(policy, end, bytes) + bytes;
                assertThat(PackPlace.end(policy, files, bytes))
                        .as("%d of %d", files, bytes)
                        .isEqualTo(end);
            }
        }
    }
}

package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.field.BitMatrices;
import io.ecfs.code.field.GaloisField;
import io.ecfs.code.field.Matrix;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The properties of the matrices on which the families' promises stand, for every shape that is admitted. */
class GeneratorsTest {
    /** Decodable patterns by number of losses, from the counting rule of the LRC paper and from the SHEC layout. */
    @ParameterizedTest
    @CsvSource({
        "lrc-12-2-2, 16/16 120/120 560/560 1568/1820",
        "lrc-6-2-2, 10/10 45/45 120/120 180/210",
        "shec-4-3-2, 7/7 21/21 29/35",
        "shec-6-3-2, 9/9 36/36 72/84",
        "shec-8-4-3, 12/12 66/66 220/220 475/495",
        "shec-10-6-3, 16/16 120/120 560/560 1798/1820 4044/4368 5916/8008",
        "clay-4-2-5, 6/6 15/15",
        "liberation-4-2, 6/6 15/15",
        "rs-6-3, 9/9 36/36 84/84"
    })
    void decodesAsManyPatternsAsTheTableSays(String name, String table) {
        CodeSpec spec = CodeSpec.parse(name);
        int n = spec.chunks();
        int[] decoded = new int[spec.parityChunks() + 1];
        int[] all = new int[spec.parityChunks() + 1];
        for (ChunkSet lost : Cells.subsets(n, spec.parityChunks())) {
            ChunkSet available = ChunkSet.range(0, n).minus(lost);
            all[lost.size()]++;
            decoded[lost.size()] += spec.decodable(available) ? 1 : 0;
        }
        assertThat(IntStream.range(1, all.length).mapToObj(i -> decoded[i] + "/" + all[i]))
                .containsExactly(table.split(" "));
    }

    /** What the counting rule calls decodable is what the rank of the generator's rows says. */
    @ParameterizedTest
    @ValueSource(strings = {"lrc-12-2-2", "lrc-6-2-2", "lrc-6-3-1", "lrc-4-4-2", "lrc-9-3-2", "lrc-5-1-2"})
    void theCountingRuleOfLocalGroupsIsTheRank(String name) {
        CodeSpec spec = CodeSpec.parse(name);
        Matrix generator = Generators.of(spec);
        for (ChunkSet lost : Cells.subsets(spec.chunks(), spec.parityChunks())) {
            ChunkSet available = ChunkSet.range(0, spec.chunks()).minus(lost);
            boolean decodable = generator.select(available.toArray()).rank() == spec.dataChunks();
            assertThat(spec.decodable(available)).as("%s lost %s", name, lost).isEqualTo(decodable);
        }
    }

    /**
     * Every LRC that is admitted is a part of the largest one: its groups are the first members of the first groups.
     * There, every two losses within one group and two within another, every three within one group, and each pair with
     * one global parity lost, are shown to leave an invertible square, and these are all the largest patterns that the
     * counting rule allows.
     */
    @Test
    void everyLrcIsMaximallyRecoverable() {
        int groups = CodeLimits.MAX_LRC_GROUPS;
        int size = CodeLimits.MAX_LRC_GROUP;
        Matrix parity = Generators.lrc(groups * size, groups, 2);
        Set<Integer> earlier = new HashSet<>();
        for (int b = 0; b < groups; b++) {
            int[] members = new int[size + 1];
            for (int i = 0; i < size; i++) {
                members[i] = parity.at(groups, b * size + i);
                assertThat(parity.at(groups + 1, b * size + i)).isEqualTo(GaloisField.multiply(members[i], members[i]));
            }
            // The last member is the local parity itself, with the coefficient 0.
            Set<Integer> differences = new HashSet<>();
            for (int i = 0; i <= size; i++) {
                for (int j = 0; j < i; j++) {
                    differences.add(members[i] ^ members[j]);
                    for (int h = 0; h < j; h++) {
                        // x y^2 + y x^2 for the differences x and y.
                        assertThat(determinant(members[i] ^ members[h], members[j] ^ members[h]))
                                .isNotZero();
                    }
                }
            }
            assertThat(differences).doesNotContain(0);
            assertThat(Collections.disjoint(differences, earlier)).isTrue();
            for (int x : differences) {
                for (int y : earlier) {
                    if (determinant(x, y) == 0) {
                        throw new AssertionError("differences " + x + " and " + y + " of two groups");
                    }
                }
            }
            earlier.addAll(differences);
        }
    }

    private static int determinant(int x, int y) {
        return GaloisField.multiply(x, GaloisField.multiply(y, y))
                ^ GaloisField.multiply(y, GaloisField.multiply(x, x));
    }

    /** Any k rows are k rows of a Vandermonde matrix of different points times one and the same invertible matrix. */
    @Test
    void everyVandermondeGeneratorIsAVandermondeMatrixInAnotherBase() {
        for (int k : new int[] {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 50, 100, 128, 200, 254}) {
            int m = CodeSpec.MAX_CHUNKS - k;
            Matrix points = Matrix.filled(k + m, k, GaloisField::power);
            Matrix top = points.select(IntStream.range(0, k).toArray());
            Matrix generator = Generators.of(new CodeSpec(CodeFamily.RS_VAN, List.of(k, m)));
            assertThat(generator.times(top)).isEqualTo(points);
        }
        Matrix points = Matrix.filled(CodeSpec.MAX_CHUNKS, 2, GaloisField::power);
        assertThat(IntStream.range(0, CodeSpec.MAX_CHUNKS)
                        .map(row -> points.at(row, 1))
                        .distinct())
                .hasSize(CodeSpec.MAX_CHUNKS);
    }

    /** More parity chunks are more rows, so that every rs-van of one k is a part of the largest. */
    @Test
    void aVandermondeGeneratorOfLessParityIsAPartOfALargerOne() {
        Matrix large = Generators.vandermonde(6, 9);
        assertThat(Generators.vandermonde(6, 3)).isEqualTo(large.select(new int[] {0, 1, 2}));
    }

    @ParameterizedTest
    @CsvSource({"2, 7", "4, 7", "6, 7", "7, 7", "8, 11", "3, 3", "5, 5", "61, 61"})
    void liberationHasTheFewestOnes(int k, int w) {
        Matrix parity = BitMatrices.liberation(k, w);
        int ones = IntStream.range(w, 2 * w).map(row -> ones(parity, row)).sum();
        assertThat(ones).isEqualTo(k * w + k - 1);
    }

    private static int ones(Matrix matrix, int row) {
        return IntStream.range(0, matrix.columns()).map(c -> matrix.at(row, c)).sum();
    }

    /**
     * Every X_i and every X_i + X_j is invertible over GF(2), for all words up to the longest; then any two losses
     * decode.
     */
    @Test
    void everyLiberationCodeIsMds() {
        for (int w = 3; w <= CodeLimits.MAX_LIBERATION_WORD; w++) {
            if (CodeLimits.isPrime(w)) {
                long[][] shifts = shifts(BitMatrices.liberation(w, w), w);
                for (int i = 0; i < w; i++) {
                    assertThat(rank(shifts[i].clone())).isEqualTo(w);
                    for (int j = 0; j < i; j++) {
                        long[] sum = shifts[i].clone();
                        for (int r = 0; r < w; r++) {
                            sum[r] ^= shifts[j][r];
                        }
                        assertThat(rank(sum))
                                .as("w %s, chunks %s and %s", w, i, j)
                                .isEqualTo(w);
                    }
                }
            }
        }
    }

    private static long[][] shifts(Matrix parity, int w) {
        long[][] shifts = new long[w][w];
        for (int i = 0; i < w; i++) {
            for (int r = 0; r < w; r++) {
                for (int c = 0; c < w; c++) {
                    shifts[i][r] |= (long) parity.at(w + r, i * w + c) << c;
                }
            }
        }
        return shifts;
    }

    private static int rank(long[] rows) {
        int rank = 0;
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] != 0) {
                rank++;
                long lowest = Long.lowestOneBit(rows[i]);
                for (int j = i + 1; j < rows.length; j++) {
                    rows[j] ^= (rows[j] & lowest) != 0 ? rows[i] : 0;
                }
            }
        }
        return rank;
    }

    /** Every square part of the matrix that the bits stand for is invertible: any k chunks determine the others. */
    @ParameterizedTest
    @ValueSource(strings = {"crs-4-4", "crs-6-3", "crs-12-4", "crs-5-3-8", "crs-14-2", "crs-14-3"})
    void everyCauchyBitMatrixIsMds(String name) {
        CodeSpec spec = CodeSpec.parse(name);
        int w = spec.wordBits();
        Matrix generator = Generators.of(spec);
        for (ChunkSet lost : Cells.subsets(spec.chunks(), spec.parityChunks())) {
            if (lost.size() == spec.parityChunks()) {
                int[] rows = ChunkSet.range(0, spec.chunks()).minus(lost).stream()
                        .flatMap(chunk -> IntStream.range(chunk * w, chunk * w + w))
                        .toArray();
                assertThat(generator.select(rows).rank())
                        .as("%s lost %s", name, lost)
                        .isEqualTo(rows.length);
            }
        }
    }

    /** For all shapes that are admitted; more losses than c are covered by the tables. */
    @Test
    void everyShecSurvivesItsPromisedLosses() {
        for (int k = 1; k <= 12; k++) {
            for (int m = 1; m <= Math.min(k, 20 - k); m++) {
                for (int c = 1; c <= m; c++) {
                    assertThat(firstFatal(Generators.shec(k, m, c), c))
                            .as("shec-%s-%s-%s", k, m, c)
                            .isEmpty();
                }
            }
        }
    }

    /**
     * The first loss of so many chunks after which the parity rows that are left do not determine the data chunks that
     * are not.
     */
    private static OptionalInt firstFatal(Matrix parity, int losses) {
        int k = parity.columns();
        int n = k + parity.rows();
        return IntStream.iterate((1 << losses) - 1, lost -> lost < 1 << n, GeneratorsTest::next)
                .filter(lost -> {
                    int[] data = IntStream.range(0, k)
                            .filter(i -> (lost >>> i & 1) != 0)
                            .toArray();
                    int[] rows = IntStream.range(0, n - k)
                            .filter(i -> (lost >>> (k + i) & 1) == 0)
                            .toArray();
                    return data.length > 0
                            && parity.select(rows).selectColumns(data).rank() < data.length;
                })
                .findFirst();
    }

    /** The next larger number with as many ones. */
    private static int next(int bits) {
        int lowest = bits & -bits;
        int carried = bits + lowest;
        return ((carried ^ bits) >>> 2) / lowest | carried;
    }
}

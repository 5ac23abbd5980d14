package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.PackPlace;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RewriteLayoutTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-8k");
    private static final long CELL = POLICY.cellBytes();
    private static final GroupId SOURCE = new GroupId(9);

    private static RewritePiece piece(long file, long fileOffset, long length) {
        return new RewritePiece(new InodeId(file), new Extent(fileOffset, length, SOURCE, 0));
    }

    @Test
    void theBytesOfOneFileLieOneBehindTheOther() {
        List<RewritePiece> pieces = List.of(piece(5, 0, 100), piece(5, 100, 8000), piece(5, 90_000, 1));
        assertThat(RewriteLayout.of(POLICY, pieces)).isEqualTo(new RewriteLayout(List.of(0L, 100L, 8100L), 8101));
    }

    @Test
    void eachOfSeveralFilesBeginsWhereAPackWouldHaveIt() {
        List<RewritePiece> pieces = List.of(piece(5, 0, 100), piece(6, 0, 5000), piece(7, 0, 20_000), piece(8, 0, 1));
        assertThat(RewriteLayout.of(POLICY, pieces))
                .isEqualTo(new RewriteLayout(List.of(0L, CELL, 2 * CELL, 2 * CELL + 20_480), 2 * CELL + 20_481));
    }

    @Test
    void extentsThatFollowOneAnotherInTheirFileArePlacedAsOne() {
        List<RewritePiece> pieces =
                List.of(piece(5, 0, 100), piece(6, 0, 3000), piece(6, 3000, 3000), piece(6, 7000, 10));
        assertThat(RewriteLayout.of(POLICY, pieces))
                .isEqualTo(new RewriteLayout(List.of(0L, CELL, CELL + 3000, 2 * CELL), 2 * CELL + 10));
    }

    /** They are computed anew when a log is replayed: other numbers here take a feature level. */
    @Test
    void placesOfALoggedRewriteNeverChange() {
        List<RewritePiece> pieces = List.of(
                piece(5, 0, 100),
                piece(6, 0, 5000),
                piece(7, 0, 20_000),
                piece(8, 0, 1),
                piece(9, 0, 8192),
                piece(10, 0, 3000),
                piece(10, 3000, 3000),
                piece(10, 7000, 10),
                piece(11, 0, 4096));
        assertThat(RewriteLayout.of(Policy.parse("rs-3-2-8k"), pieces))
                .isEqualTo(new RewriteLayout(
                        List.of(0L, 8192L, 16_384L, 36_864L, 40_960L, 49_152L, 52_152L, 57_344L, 61_440L), 65_536));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyFilesKeepToCellsAndAddUpInParts(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<List<RewritePiece>> files = new ArrayList<>();
            for (long file = 1; file <= 2 + random.nextInt(6); file++) {
                files.add(file(file, random));
            }
            List<RewritePiece> pieces = files.stream().flatMap(List::stream).toList();
            RewriteLayout layout = RewriteLayout.of(POLICY, pieces);
            assertRuns(pieces, layout);
            long end = 0;
            for (List<RewritePiece> file : files) {
                end = RewriteLayout.packed(POLICY, end, file).length();
            }
            assertThat(layout.length()).as("file by file").isEqualTo(end);
            files.remove(random.nextInt(files.size()));
            assertThat(RewriteLayout.of(
                                    POLICY, files.stream().flatMap(List::stream).toList())
                            .length())
                    .as("without one of them")
                    .isLessThanOrEqualTo(layout.length());
        }
    }

    /** Extents of a file, some of which follow one another. */
    private static List<RewritePiece> file(long file, Random random) {
        List<RewritePiece> pieces = new ArrayList<>();
        long at = 0;
        for (int i = 0; i <= random.nextInt(3); i++) {
            at += random.nextBoolean() ? 0 : 1 + random.nextInt(100);
            long length = 1L + random.nextInt((int) (random.nextInt(4) == 0 ? 3 * CELL : CELL / 2));
            pieces.add(piece(file, at, length));
            at += length;
        }
        return pieces;
    }

    private static void assertRuns(List<RewritePiece> pieces, RewriteLayout layout) {
        long end = 0;
        for (int i = 0; i < pieces.size(); ) {
            int next = i;
            long bytes = 0;
            do {
                assertThat(layout.begins().get(next)).isEqualTo(layout.begins().get(i) + bytes);
                bytes += pieces.get(next).extent().length();
                next++;
            } while (next < pieces.size() && follows(pieces.get(next - 1), pieces.get(next)));
            long begin = layout.begins().get(i);
            assertThat(begin).isBetween(end, end + PackPlace.ALIGNMENT + (bytes > CELL ? 0 : bytes));
            assertThat(begin % PackPlace.ALIGNMENT).isZero();
            assertThat(bytes > CELL || begin / CELL == (begin + bytes - 1) / CELL)
                    .isTrue();
            end = begin + bytes;
            i = next;
        }
        assertThat(layout.length()).isEqualTo(end);
    }

    private static boolean follows(RewritePiece before, RewritePiece next) {
        return before.file().equals(next.file())
                && before.extent().fileOffset() + before.extent().length()
                        == next.extent().fileOffset();
    }
}

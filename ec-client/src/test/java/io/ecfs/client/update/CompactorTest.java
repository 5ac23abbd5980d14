package io.ecfs.client.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.location.Stretch;
import io.ecfs.layout.Policy;
import io.ecfs.patch.CleaningCost;
import io.ecfs.patch.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cleaning moves, by the choice that the client makes, on bytes that are only accounted for. */
class CompactorTest {
    private static final Policy POLICY = Policy.parse("rs-6-3-16k");
    private static final int PAGE = 4096;

    /** Of a batch at depth 256: with its head they fill stripes. */
    private static final int BATCH_PAGES = 119;

    private static final int PAGES = 24_000;

    /** Rounds in each of which as many pages are overwritten as the file has. */
    private static final int WARM = 3;

    private static final int MEASURED = 2;

    /** A file that is overwritten page by page, and cleaned meanwhile as {@link PatchGroups} has it done. */
    private static final class Overwritten {
        private final Random random = new Random(1);
        private final SimulatedPatches patches = new SimulatedPatches(POLICY, List.of());
        private final Compactor compactor;
        private long unpaid;
        private long moved;
        private long stored;
        private long seals;

        Overwritten(double spare) {
            compactor = new Compactor(patches.bytes, patches.layout, spare, Long.MAX_VALUE);
        }

        void fill() {
            for (int page = 0; page < PAGES; page += BATCH_PAGES) {
                List<Write> writes = new ArrayList<>();
                for (int i = page; i < Math.min(PAGES, page + BATCH_PAGES); i++) {
                    writes.add(new Write((long) i * PAGE, PAGE));
                }
                put(writes);
            }
        }

        void overwrite(int pages) {
            for (int left = pages; left > 0; left -= BATCH_PAGES) {
                List<Write> writes = new ArrayList<>();
                for (int i = 0; i < BATCH_PAGES; i++) {
                    writes.add(new Write((long) random.nextInt(PAGES) * PAGE, PAGE));
                }
                put(writes);
                unpaid += (long) BATCH_PAGES * PAGE;
                move();
            }
        }

        private long full() {
            return PatchGroups.full(POLICY, patches.bytes.length());
        }

        private void put(List<Write> writes) {
            patches.write(writes);
            if (patches.offset() >= full()) {
                patches.seal();
                compactor.plan();
                stored += patches.sealed().stream()
                        .mapToLong(group -> group.length())
                        .sum();
                seals++;
            }
        }

        private void move() {
            List<Stretch> stretches = compactor.take(compactor.owed(unpaid, full() - patches.offset()));
            unpaid = 0;
            if (!stretches.isEmpty()) {
                moved += stretches.stream().mapToLong(Stretch::bytes).sum();
                put(SimulatedPatches.writes(stretches));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 0.5, 1.0})
    void uniformOverwritesCostWhatTheEquationSays(double spare) {
        Overwritten file = new Overwritten(spare);
        file.fill();
        file.overwrite(WARM * PAGES);
        file.moved = 0;
        file.stored = 0;
        file.seals = 0;
        file.overwrite(MEASURED * PAGES);
        double written = (double) MEASURED * PAGES * PAGE;
        assertThat(file.moved / written)
                .as("moved for each byte written")
                .isCloseTo(CleaningCost.writtenPerByte(spare) - 1, Percentage.withPercentage(10));
        assertThat((double) file.stored / file.seals / PAGES / PAGE)
                .as("stored for each byte of the file")
                .isBetween(1 + spare / 2, (1 + spare) * 1.05);
    }

    @Test
    void nothingIsMovedWhileNoMoreIsDeadThanTheSpareShare() {
        Overwritten file = new Overwritten(1.0);
        file.fill();
        file.overwrite(PAGES / 2);
        assertThat(file.moved).isZero();
    }

    /** All regions are of several pieces: half of them are merged, and are of one piece then. */
    @Test
    void aMapThatIsTooLargeIsMadeSmallerByTheRegionsOfTheMostPieces() {
        SimulatedPatches patches = new SimulatedPatches(POLICY, List.of());
        Compactor compactor = new Compactor(patches.bytes, patches.layout, 100, 1);
        int regions = 4;
        for (int region = 0; region < regions; region++) {
            List<Write> writes = new ArrayList<>();
            for (int piece = 0; piece < 100 * (region + 1); piece++) {
                writes.add(new Write(region * Compactor.REGION + piece * 2L * PAGE, PAGE));
            }
            patches.write(writes);
        }
        patches.seal();
        compactor.plan();
        List<Stretch> merged = new ArrayList<>();
        while (compactor.backlogBytes() > 0) {
            merged.addAll(compactor.take(1 << 20));
        }
        assertThat(Stretch.joined(merged))
                .allMatch(stretch -> stretch.from() >= 2 * Compactor.REGION)
                .hasSize(700);
    }

    @Test
    void aRegionThatIsReadInOrderIsMergedWhenItIsOfVeryManyPieces() {
        SimulatedPatches patches = new SimulatedPatches(POLICY, List.of());
        Compactor compactor = new Compactor(patches.bytes, patches.layout, 100, Long.MAX_VALUE);
        patches.write(List.of(new Write(0, (int) (2 * Compactor.REGION))));
        int few = (int) (30 * Compactor.REGION / POLICY.stripeBytes());
        int many = (int) (33 * Compactor.REGION / POLICY.stripeBytes());
        List<Write> writes = new ArrayList<>();
        for (int piece = 0; piece < few; piece++) {
            writes.add(new Write(piece * 512L, 256));
        }
        for (int piece = 0; piece < many; piece++) {
            writes.add(new Write(Compactor.REGION + piece * 512L, 256));
        }
        patches.write(writes);
        patches.seal();
        compactor.plan();

        compactor.readInOrder(1000);
        assertThat(compactor.backlogBytes()).as("two pieces for each write").isZero();
        for (int read = 0; read < 2; read++) {
            compactor.readInOrder(Compactor.REGION + 1000);
            compactor.readInOrder(2 * Compactor.REGION);
            compactor.readInOrder(0);
            assertThat(compactor.backlogBytes()).isEqualTo(Compactor.REGION);
        }
        assertThat(compactor.take(Long.MAX_VALUE)).containsExactly(new Stretch(Compactor.REGION, 2 * Compactor.REGION));

        compactor.readInOrder(2 * Compactor.REGION - 1);
        assertThat(compactor.backlogBytes())
                .as("it was considered a moment ago")
                .isZero();
        compactor.plan();
        compactor.readInOrder(2 * Compactor.REGION - 1);
        assertThat(compactor.backlogBytes()).as("it has as many pieces still").isEqualTo(Compactor.REGION);
    }

    /** A reader's wish keeps no dead bytes from being reclaimed. */
    @Test
    void cleaningIsPlannedBesideARegionThatIsReadInOrder() {
        SimulatedPatches patches = new SimulatedPatches(POLICY, List.of());
        Compactor compactor = new Compactor(patches.bytes, patches.layout, 0.1, Long.MAX_VALUE);
        patches.write(List.of(new Write(0, (int) POLICY.stripeBytes())));
        patches.seal();
        List<Write> writes = new ArrayList<>();
        for (int at = 0; at < POLICY.stripeBytes(); at += 512) {
            writes.add(new Write(at, 256));
        }
        patches.write(writes);
        patches.seal();
        compactor.readInOrder(0);
        assertThat(compactor.backlogBytes()).isEqualTo(POLICY.stripeBytes());
        compactor.plan();
        assertThat(compactor.backlogBytes()).isGreaterThan(POLICY.stripeBytes());
    }

    /** What users wrote meanwhile is elsewhere by then: it is not moved. */
    @Test
    void onlyWhatIsStillInTheGroupIsMoved() {
        SimulatedPatches patches = new SimulatedPatches(POLICY, List.of());
        Compactor compactor = new Compactor(patches.bytes, patches.layout, 0.1, Long.MAX_VALUE);
        patches.write(List.of(new Write(0, 100 * PAGE)));
        patches.seal();
        patches.write(List.of(new Write(0, 50 * PAGE)));
        patches.seal();
        compactor.plan();
        assertThat(compactor.backlogBytes()).isEqualTo(50L * PAGE);
        patches.write(List.of(new Write(60L * PAGE, 10 * PAGE)));
        assertThat(compactor.take(5L * PAGE)).containsExactly(new Stretch(50L * PAGE, 55L * PAGE));
        assertThat(compactor.take(Long.MAX_VALUE))
                .containsExactly(new Stretch(55L * PAGE, 60L * PAGE), new Stretch(70L * PAGE, 100L * PAGE));
        assertThat(compactor.backlogBytes()).isZero();
    }
}

package io.ecfs.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.TailCoverage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecoverableLengthTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final GroupId GROUP = new GroupId(7);

    private static ChunkRecord open(int index, long bytes, long fullStripeBytes) {
        return new ChunkRecord(
                new ChunkId(GROUP, index, 0), ChunkState.BEING_WRITTEN, bytes, fullStripeBytes, -1, Stamp.NONE);
    }

    /** With the tail cell of a group of this length. */
    private static ChunkRecord tailed(int index, long groupLength) {
        GroupLayout layout = new GroupLayout(POLICY, groupLength);
        return new ChunkRecord(
                new ChunkId(GROUP, index, 0),
                ChunkState.BEING_WRITTEN,
                layout.chunkBytes(index),
                layout.fullStripeChunkBytes(),
                groupLength,
                Stamp.NONE);
    }

    private static RecoverableLength withTails(Map<Integer, TailCoverage> tails, ChunkRecord... records) {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        for (ChunkRecord record : records) {
            answers.put(record.chunk().index(), Optional.of(record));
        }
        return RecoverableLength.of(POLICY, answers, tails).orElseThrow();
    }

    private static TailCoverage mirrored(long from, long to) {
        return new TailCoverage(List.of(new TailCoverage.Range(from, to)), List.of());
    }

    private static TailCoverage coded(long from, long to) {
        return new TailCoverage(List.of(), List.of(new TailCoverage.Range(from, to)));
    }

    @Test
    void aMirroredRecordOfOneChunkIsEnough() {
        long stripe = POLICY.stripeBytes();
        RecoverableLength found = withTails(
                Map.of(3, mirrored(stripe, stripe + 700)),
                open(0, 4096, 4096),
                open(1, 4096, 4096),
                open(3, 4096, 4096));
        assertThat(found).isEqualTo(new RecoverableLength(stripe + 700, stripe, true, List.of()));
    }

    @Test
    void aCodedRecordNeedsChunksThatDetermineTheOthers() {
        ChunkRecord[] empty = {open(0, 0, 0), open(1, 0, 0), open(2, 0, 0), open(4, 0, 0)};
        assertThat(withTails(Map.of(0, coded(0, 900), 4, coded(0, 900)), empty).length())
                .isZero();
        RecoverableLength found = withTails(Map.of(0, coded(0, 900), 1, coded(0, 500), 4, coded(0, 900)), empty);
        assertThat(found.length()).isEqualTo(500);
    }

    @Test
    void recordsCountAsFarAsTheyGoOnWithoutAGap() {
        ChunkRecord[] empty = {open(0, 0, 0), open(1, 0, 0), open(2, 0, 0)};
        Map<Integer, TailCoverage> tails = Map.of(
                0,
                        new TailCoverage(
                                List.of(new TailCoverage.Range(0, 100), new TailCoverage.Range(600, 700)),
                                List.of(new TailCoverage.Range(100, 500))),
                1, coded(100, 500),
                2, coded(100, 500));
        assertThat(withTails(tails, empty).length()).isEqualTo(500);
    }

    @Test
    void recordsBehindAStripeThatIsNotHeldDoNotCount() {
        long stripe = POLICY.stripeBytes();
        RecoverableLength found = withTails(
                Map.of(0, mirrored(stripe, stripe + 9)), open(0, 4096, 4096), open(1, 0, 0), open(2, 4096, 4096));
        assertThat(found.length()).isZero();
    }

    @Test
    void aFinishedLengthThatIsHeldComesBeforeRecords() {
        RecoverableLength found = withTails(Map.of(1, mirrored(0, 5)), finished(0, 20), tailed(1, 20), tailed(4, 20));
        assertThat(found.length()).isEqualTo(20);
        assertThat(found.fromRecords()).isFalse();
    }

    @Test
    void aTailCellOfAnotherLengthIsNotHeldThoughItIsAsLong() {
        // Both tails have cells of 64 bytes.
        RecoverableLength found =
                withTails(Map.of(1, mirrored(0, 130)), tailed(1, 150), tailed(3, 150), tailed(4, 130), open(0, 0, 0));
        assertThat(found.length()).isEqualTo(130);
        assertThat(found.holders()).extracting(ChunkId::index).containsExactly(4);
    }

    private static ChunkRecord finished(int index, long groupLength) {
        long bytes = new GroupLayout(POLICY, groupLength).chunkBytes(index);
        return new ChunkRecord(
                new ChunkId(GROUP, index, 0), ChunkState.FINALISED, bytes, bytes, groupLength, Stamp.NONE);
    }

    private static Optional<RecoverableLength> of(ChunkRecord... records) {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        for (ChunkRecord record : records) {
            answers.put(record.chunk().index(), Optional.of(record));
        }
        return RecoverableLength.of(POLICY, answers);
    }

    @Test
    void fewerThanKAnswersDecideNothing() {
        assertThat(of(finished(0, 5000), finished(1, 5000))).isEmpty();
    }

    @Test
    void lastFullStripeThatKChunksHold() {
        RecoverableLength found = of(
                        open(0, 3 * 4096, 3 * 4096),
                        open(1, 2 * 4096, 2 * 4096),
                        open(2, 5 * 4096, 5 * 4096),
                        open(3, 4096, 4096),
                        open(4, 0, 0))
                .orElseThrow();
        assertThat(found.length()).isEqualTo(2 * POLICY.stripeBytes());
        assertThat(found.holders()).extracting(ChunkId::index).containsExactly(0, 1, 2);
    }

    /**
     * Chunks 0, 1 and 4 are one local group, 2, 3 and 5 the other, 6 is global: 0, 1, 4 and 2 are k chunks and give no
     * stripe.
     */
    @Test
    void ofALocalCodeItMattersWhichChunksHoldAStripe() {
        Policy local = Policy.parse("lrc-4-2-1-4k");
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        for (int index : new int[] {0, 1, 2, 4}) {
            answers.put(index, Optional.of(open(index, 2 * 4096, 2 * 4096)));
        }
        assertThat(RecoverableLength.of(local, answers)).isEmpty();
        answers.put(3, Optional.of(open(3, 4096, 4096)));
        assertThat(RecoverableLength.of(local, answers).orElseThrow().length()).isEqualTo(local.stripeBytes());
        answers.put(6, Optional.of(open(6, 2 * 4096, 2 * 4096)));
        RecoverableLength found = RecoverableLength.of(local, answers).orElseThrow();
        assertThat(found.length()).isEqualTo(2 * local.stripeBytes());
        assertThat(found.holders()).extracting(ChunkId::index).containsExactly(0, 1, 2, 4, 6);
    }

    @Test
    void aTailCellOfAWholeCellIsNotAFullStripe() {
        // A tail one byte short of a stripe has cells of the full 4096 bytes.
        RecoverableLength found = of(
                        open(0, 2 * 4096, 4096), open(1, 2 * 4096, 4096), open(3, 2 * 4096, 4096), open(4, 4096, 4096))
                .orElseThrow();
        assertThat(found.length()).isEqualTo(POLICY.stripeBytes());
        assertThat(found.holders()).hasSize(4);
    }

    @Test
    void aFinishedTailCellOfAWholeCellIsNotAFullStripe() {
        long length = 2 * POLICY.stripeBytes() - 1;
        RecoverableLength found = of(finished(0, length), finished(3, length), open(4, 4096, 4096), open(1, 4096, 4096))
                .orElseThrow();
        assertThat(found.length()).isEqualTo(POLICY.stripeBytes());
    }

    @Test
    void oneFinishedChunkTellsTheLengthThatOpenChunksHoldToo() {
        long length = POLICY.stripeBytes() + 1000;
        RecoverableLength found = of(finished(3, length), tailed(4, length), tailed(0, length), open(1, 4096, 4096))
                .orElseThrow();
        assertThat(found.length()).isEqualTo(length);
        assertThat(found.holders()).extracting(ChunkId::index).contains(0, 3, 4);
    }

    @Test
    // HDFS-17358
    void corruptAndAbsentChunksHoldNothing() {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        answers.put(0, Optional.of(open(0, 8192, 8192)));
        answers.put(1, Optional.of(open(1, 8192, 8192)));
        answers.put(2, Optional.empty());
        answers.put(
                3,
                Optional.of(new ChunkRecord(new ChunkId(GROUP, 3, 0), ChunkState.CORRUPT, 8192, 8192, -1, Stamp.NONE)));
        assertThat(RecoverableLength.of(POLICY, answers))
                .contains(new RecoverableLength(0, 0, false, java.util.List.of()));
    }

    /** A stripe is full when chunks have their cells of it; records alone leave it a tail, however much they cover. */
    @Test
    void recordsGiveLessThanAStripeAndNothingBehindTheGroup() {
        long stripe = POLICY.stripeBytes();
        ChunkRecord[] empty = {open(0, 0, 0), open(1, 0, 0), open(2, 0, 0)};
        assertThat(withTails(Map.of(0, mirrored(0, stripe - 1)), empty).length())
                .isEqualTo(stripe - 1);
        assertThat(withTails(Map.of(0, mirrored(0, stripe)), empty).length()).isEqualTo(stripe - 1);
        assertThat(withTails(Map.of(0, mirrored(0, 3 * stripe)), empty).length())
                .isEqualTo(stripe - 1);
        long whole = Policy.MAX_CHUNK_BYTES;
        ChunkRecord[] full = {open(0, whole, whole), open(1, whole, whole), open(2, whole, whole)};
        RecoverableLength found = withTails(Map.of(0, mirrored(POLICY.groupBytes(), POLICY.groupBytes() + 9)), full);
        assertThat(found.length()).isEqualTo(POLICY.groupBytes());
        assertThat(found.fromRecords()).isFalse();
    }

    @Test
    void onlyAnOpenChunkWithAllFullStripesCanBeGivenItsCellOfTheTail() {
        GroupLayout layout = new GroupLayout(POLICY, 2 * POLICY.stripeBytes() + 100);
        assertThat(RecoverableLength.fillable(layout, open(0, 8192, 8192))).isTrue();
        assertThat(RecoverableLength.fillable(layout, open(0, 9000, 9000))).isTrue();
        assertThat(RecoverableLength.fillable(layout, open(0, 8191, 8191))).isFalse();
        assertThat(RecoverableLength.fillable(layout, open(0, 9000, 4096)))
                .as("a cell of an earlier tail")
                .isFalse();
        assertThat(RecoverableLength.fillable(layout, finished(0, layout.length())))
                .isFalse();
    }

    /** A writer is stopped anywhere; whoever it had told "finished" with k chunks must find every byte. */
    @Test
    void neverLosesWhatKChunksHaveAndNeverClaimsWhatTheyDoNot() {
        for (long seed = 0; seed < 20_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long length = random.nextLong(1, 4 * POLICY.stripeBytes() + 1);
            GroupLayout layout = new GroupLayout(POLICY, length);
            TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
            TreeMap<Integer, Long> fullStripes = new TreeMap<>();
            int finished = 0;
            for (int index = 0; index < 5; index++) {
                int kind = random.nextInt(8);
                if (kind == 1) {
                    answers.put(index, Optional.empty());
                } else if (kind == 2 || kind == 3) {
                    answers.put(index, Optional.of(finished(index, length)));
                    fullStripes.put(index, layout.fullStripes());
                    finished++;
                } else if (kind > 3) {
                    long bytes = random.nextBoolean()
                            ? layout.chunkBytes(index)
                            : random.nextLong(0, layout.chunkBytes(index) + 1);
                    long full = Math.min(bytes, layout.fullStripeChunkBytes());
                    boolean tailed = bytes > full;
                    answers.put(
                            index,
                            Optional.of(new ChunkRecord(
                                    new ChunkId(GROUP, index, 0),
                                    ChunkState.BEING_WRITTEN,
                                    bytes,
                                    full,
                                    tailed ? length : -1,
                                    Stamp.NONE)));
                    fullStripes.put(index, full / POLICY.cellBytes());
                }
            }
            Optional<RecoverableLength> found = RecoverableLength.of(POLICY, answers);
            assertThat(found.isPresent()).as("seed %s", seed).isEqualTo(answers.size() >= 3);
            if (found.isEmpty()) {
                continue;
            }
            long recovered = found.get().length();
            if (finished >= 3) {
                assertThat(recovered).as("seed %s", seed).isEqualTo(length);
            }
            long held = fullStripes.values().stream()
                    .sorted(java.util.Comparator.reverseOrder())
                    .skip(2)
                    .findFirst()
                    .orElse(0L);
            assertThat(recovered).as("seed %s", seed).isBetween(held * POLICY.stripeBytes(), length);
            assertThat(recovered == length || recovered == held * POLICY.stripeBytes())
                    .as("seed %s", seed)
                    .isTrue();
            if (recovered > 0) {
                assertThat(found.get().holders()).as("seed %s", seed).hasSizeGreaterThanOrEqualTo(3);
                GroupLayout claimed = new GroupLayout(POLICY, recovered);
                assertThat(found.get().holders())
                        .as("seed %s", seed)
                        .allMatch(c -> answers.get(c.index()).orElseThrow().bytes() >= claimed.chunkBytes(c.index()));
            }
        }
    }
}

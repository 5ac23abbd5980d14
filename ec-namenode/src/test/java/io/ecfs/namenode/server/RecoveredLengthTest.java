package io.ecfs.namenode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecoveredLengthTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final GroupId GROUP = new GroupId(7);

    private static ChunkRecord open(int index, long bytes, long fullStripeBytes) {
        return new ChunkRecord(new ChunkId(GROUP, index, 0), ChunkState.BEING_WRITTEN, bytes, fullStripeBytes, -1);
    }

    private static ChunkRecord finished(int index, long groupLength) {
        long bytes = new GroupLayout(POLICY, groupLength).chunkBytes(index);
        return new ChunkRecord(new ChunkId(GROUP, index, 0), ChunkState.FINALISED, bytes, bytes, groupLength);
    }

    private static Optional<RecoveredLength> of(ChunkRecord... records) {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        for (ChunkRecord record : records) {
            answers.put(record.chunk().index(), Optional.of(record));
        }
        return RecoveredLength.of(POLICY, answers);
    }

    @Test
    void fewerThanKAnswersDecideNothing() {
        assertThat(of(finished(0, 5000), finished(1, 5000))).isEmpty();
    }

    @Test
    void lastFullStripeThatKChunksHold() {
        RecoveredLength found = of(
                        open(0, 3 * 4096, 3 * 4096),
                        open(1, 2 * 4096, 2 * 4096),
                        open(2, 5 * 4096, 5 * 4096),
                        open(3, 4096, 4096),
                        open(4, 0, 0))
                .orElseThrow();
        assertThat(found.length()).isEqualTo(2 * POLICY.stripeBytes());
        assertThat(found.holders()).extracting(ChunkId::index).containsExactly(0, 1, 2);
    }

    /** Chunks 0, 1 and 4 are one local group, 2, 3 and 5 the other, 6 is global: 0, 1, 4 and 2 are k chunks and give no stripe. */
    @Test
    void ofALocalCodeItMattersWhichChunksHoldAStripe() {
        Policy local = Policy.parse("lrc-4-2-1-4k");
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        for (int index : new int[] {0, 1, 2, 4}) {
            answers.put(index, Optional.of(open(index, 2 * 4096, 2 * 4096)));
        }
        assertThat(RecoveredLength.of(local, answers)).isEmpty();
        answers.put(3, Optional.of(open(3, 4096, 4096)));
        assertThat(RecoveredLength.of(local, answers).orElseThrow().length()).isEqualTo(local.stripeBytes());
        answers.put(6, Optional.of(open(6, 2 * 4096, 2 * 4096)));
        RecoveredLength found = RecoveredLength.of(local, answers).orElseThrow();
        assertThat(found.length()).isEqualTo(2 * local.stripeBytes());
        assertThat(found.holders()).extracting(ChunkId::index).containsExactly(0, 1, 2, 4, 6);
    }

    @Test
    void aTailCellOfAWholeCellIsNotAFullStripe() {
        // A tail one byte short of a stripe has cells of the full 4096 bytes.
        RecoveredLength found = of(
                        open(0, 2 * 4096, 4096), open(1, 2 * 4096, 4096), open(3, 2 * 4096, 4096), open(4, 4096, 4096))
                .orElseThrow();
        assertThat(found.length()).isEqualTo(POLICY.stripeBytes());
        assertThat(found.holders()).hasSize(4);
    }

    @Test
    void aFinishedTailCellOfAWholeCellIsNotAFullStripe() {
        long length = 2 * POLICY.stripeBytes() - 1;
        RecoveredLength found = of(finished(0, length), finished(3, length), open(4, 4096, 4096), open(1, 4096, 4096))
                .orElseThrow();
        assertThat(found.length()).isEqualTo(POLICY.stripeBytes());
    }

    @Test
    void oneFinishedChunkTellsTheLengthThatOpenChunksHoldToo() {
        long length = POLICY.stripeBytes() + 1000;
        GroupLayout layout = new GroupLayout(POLICY, length);
        RecoveredLength found = of(
                        finished(3, length),
                        open(4, layout.chunkBytes(4), layout.fullStripeChunkBytes()),
                        open(0, layout.chunkBytes(0), layout.fullStripeChunkBytes()),
                        open(1, 4096, 4096))
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
        answers.put(3, Optional.of(new ChunkRecord(new ChunkId(GROUP, 3, 0), ChunkState.CORRUPT, 8192, 8192, -1)));
        assertThat(RecoveredLength.of(POLICY, answers)).contains(new RecoveredLength(0, java.util.List.of()));
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
                    answers.put(index, Optional.of(open(index, bytes, full)));
                    fullStripes.put(index, full / POLICY.cellBytes());
                }
            }
            Optional<RecoveredLength> found = RecoveredLength.of(POLICY, answers);
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

package io.ecfs.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class PatchBatchTest {
    private static final int PAGE = 4096;
    private static final long FILE = 1L << 30;
    private static final long NONCE = 0x0123_4567_89ab_cdefL;

    private static Write write(long position, int length) {
        return new Write(position, length);
    }

    private static Optional<PatchBatch> parse(PatchBatch batch) {
        return PatchBatch.parse(batch.head(NONCE), NONCE, batch.groupOffset(), batch.end());
    }

    private static List<Write> randomWrites(Random random, int count) {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = 1 + random.nextInt(random.nextInt(3) == 0 ? 3 * PAGE : 200);
            writes.add(write(random.nextInt((int) FILE - length), length));
        }
        return writes;
    }

    @Test
    void fewSmallWritesLieBehindTheTable() {
        PatchBatch batch = PatchBatch.plan(1_000, 5, 4_000, List.of(write(0, 10), write(3_000, 7), write(100, 1)));
        assertThat(batch.headBytes()).isEqualTo(88);
        assertThat(batch.dataOffset(0)).isEqualTo(1_088);
        assertThat(batch.dataOffset(1)).isEqualTo(1_098);
        assertThat(batch.dataOffset(2)).isEqualTo(1_105);
        assertThat(batch.end()).isEqualTo(1_106);
        assertThat(batch.bytes()).isEqualTo(106);
    }

    @Test
    void fourWritesBeginAtAPageOfTheGroup() {
        List<Write> writes = List.of(write(0, 10), write(3_000, 7), write(100, 1), write(7, 1));
        PatchBatch batch = PatchBatch.plan(1_000, 5, 4_000, writes);
        assertThat(batch.dataOffset(0)).isEqualTo(PAGE);
        assertThat(batch.dataOffset(3)).isEqualTo(PAGE + 18);
        assertThat(batch.end()).isEqualTo(PAGE + 19);
    }

    @Test
    void aPageLiesInAPageOfTheGroup() {
        PatchBatch alone = PatchBatch.plan(0, 1, PAGE, List.of(write(0, PAGE)));
        assertThat(alone.dataOffset(0)).isEqualTo(PAGE);
        assertThat(alone.bytes()).isEqualTo(2 * PAGE);

        PatchBatch behindSmall = PatchBatch.plan(100, 1, 3 * PAGE, List.of(write(0, 5), write(PAGE, PAGE)));
        assertThat(behindSmall.dataOffset(0)).isEqualTo(PAGE);
        assertThat(behindSmall.dataOffset(1)).isEqualTo(2 * PAGE);
        assertThat(behindSmall.end()).isEqualTo(3 * PAGE);
    }

    @Test
    void aBatchWithoutWritesIsItsHeader() {
        PatchBatch batch = PatchBatch.plan(77, 9, 123, List.of());
        assertThat(batch.bytes()).isEqualTo(PatchBatch.HEADER_BYTES);
        assertThat(parse(batch)).contains(batch);
        assertThat(parse(batch).orElseThrow().fileLength()).isEqualTo(123);
    }

    @Test
    void comesBackAsPlannedAndKeepsTheRulesOfAlignment() {
        Random random = new Random(3);
        for (int run = 0; run < 2_000; run++) {
            List<Write> writes = randomWrites(random, random.nextInt(12));
            PatchBatch plan = PatchBatch.plan(random.nextInt(100_000), 1 + run, FILE, writes);
            PatchBatch batch = run % 2 == 0 ? plan : plan.padTo(plan.end() + random.nextInt(PAGE));
            assertThat(parse(batch)).contains(batch);
            requireAligned(batch, writes);
            assertThat(batch.head(NONCE).remaining()).isEqualTo(batch.headBytes());
        }
    }

    private static void requireAligned(PatchBatch batch, List<Write> writes) {
        boolean pages = writes.stream().anyMatch(write -> write.length() >= PAGE);
        boolean aligned = writes.size() >= 4 || pages;
        long end = batch.groupOffset() + PatchBatch.HEADER_BYTES + 16L * writes.size();
        assertThat(batch.count()).isEqualTo(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            long gap = batch.dataOffset(i) - end;
            boolean atPage = (aligned && i == 0) || writes.get(i).length() >= PAGE;
            assertThat(gap).isBetween(0L, atPage ? PAGE - 1L : 0L);
            if (atPage) {
                assertThat(batch.dataOffset(i) % PAGE).isZero();
            }
            assertThat(batch.position(i)).isEqualTo(writes.get(i).position());
            assertThat(batch.length(i)).isEqualTo(writes.get(i).length());
            end = batch.dataOffset(i) + batch.length(i);
        }
        assertThat(batch.end()).isGreaterThanOrEqualTo(end);
    }

    @Test
    void tornAtAnyByteItDoesNotExist() {
        PatchBatch batch =
                PatchBatch.plan(50, 1, FILE, randomWrites(new Random(1), 5)).padTo(60_000);
        for (long length = 0; length < batch.end(); length++) {
            assertThat(PatchBatch.parse(batch.head(NONCE), NONCE, 50, length)).isEmpty();
            assertThat(PatchBatch.headBytes(batch.head(NONCE), NONCE, 50, length))
                    .isEmpty();
        }
        for (int given = 0; given < batch.headBytes(); given++) {
            assertThat(PatchBatch.parse(batch.head(NONCE).limit(given), NONCE, 50, batch.end()))
                    .isEmpty();
            assertThat(PatchBatch.headBytes(batch.head(NONCE).limit(given), NONCE, 50, batch.end())
                            .isPresent())
                    .isEqualTo(given >= PatchBatch.HEADER_BYTES);
        }
        assertThat(PatchBatch.headBytes(batch.head(NONCE), NONCE, 50, batch.end()))
                .hasValue(batch.headBytes());
    }

    @Test
    void withAnyBitFlippedItDoesNotExist() {
        PatchBatch batch = PatchBatch.plan(50, 1, FILE, randomWrites(new Random(1), 5));
        for (int bit = 0; bit < 8 * batch.headBytes(); bit++) {
            ByteBuffer head = batch.head(NONCE);
            head.put(bit / 8, (byte) (head.get(bit / 8) ^ 1 << bit % 8));
            assertThat(PatchBatch.parse(head, NONCE, 50, Long.MAX_VALUE))
                    .as("bit %d", bit)
                    .isEmpty();
        }
    }

    @Test
    void garbageIsNoError() {
        Random random = new Random(5);
        ByteBuffer magic = PatchBatch.plan(0, 1, 0, List.of()).head(NONCE);
        for (int run = 0; run < 100_000; run++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            ByteBuffer head = ByteBuffer.wrap(bytes);
            if (run % 2 == 0 && bytes.length >= PatchBatch.HEADER_BYTES) {
                magic.get(0, bytes, 0, 4 + random.nextInt(32)); // a header that begins well
            }
            assertThat(PatchBatch.parse(head, NONCE, random.nextLong(), random.nextLong()))
                    .isEmpty();
        }
    }

    @Test
    void refusesFieldsOutOfBoundsThatMatchTheirChecksum() {
        PatchBatch batch = PatchBatch.plan(0, 3, 1_000, List.of(write(10, 100), write(500, 500)));
        assertThat(forged(batch.head(NONCE))).contains(batch);
        int second = 40 + 16;
        for (ByteBuffer head : List.of(
                batch.head(NONCE).putInt(0, 0x45504203), // a version that is not known
                batch.head(NONCE).putInt(0, 0x45504201),
                batch.head(NONCE).putLong(4, 0), // of another file
                batch.head(NONCE).putLong(12, 0),
                batch.head(NONCE).putLong(20, -1),
                batch.head(NONCE).putLong(20, Write.MAX_POSITION + 1),
                batch.head(NONCE).putLong(20, 999), // below the end of a write
                batch.head(NONCE).putInt(28, 3),
                batch.head(NONCE).putInt(28, -1),
                batch.head(NONCE).putInt(28, Integer.MAX_VALUE),
                batch.head(NONCE).putInt(32, batch.bytes() - 1),
                batch.head(NONCE).putInt(32, PatchBatch.MAX_BYTES + 1),
                batch.head(NONCE).putInt(32, -1),
                batch.head(NONCE).putLong(second, -1),
                batch.head(NONCE).putLong(second, Long.MAX_VALUE),
                batch.head(NONCE).putInt(second + 8, 0),
                batch.head(NONCE).putInt(second + 8, -1),
                batch.head(NONCE).putInt(second + 8, Write.MAX_BYTES + 1),
                batch.head(NONCE).putInt(second + 12, 171), // within the data before
                batch.head(NONCE).putInt(second + 12, 173), // ends behind the batch
                batch.head(NONCE).putInt(second + 12, -1),
                batch.head(NONCE).putInt(second + 12, Integer.MAX_VALUE),
                batch.head(NONCE).putInt(52, 71))) { // within the table
            assertThat(forged(head)).isEmpty();
        }
    }

    /** Parses a head after a new checksum was put into it. */
    private static Optional<PatchBatch> forged(ByteBuffer head) {
        CRC32C crc = new CRC32C();
        crc.update(head.slice(0, 36));
        crc.update(head.slice(40, head.limit() - 40));
        head.putInt(36, (int) crc.getValue());
        return PatchBatch.parse(head, NONCE, 0, Long.MAX_VALUE);
    }

    @Test
    void readsFromTheMiddleOfABufferOfAnyOrder() {
        PatchBatch batch = PatchBatch.plan(0, 3, 1_000, List.of(write(10, 100), write(500, 500)));
        ByteBuffer large = ByteBuffer.allocateDirect(500).order(ByteOrder.LITTLE_ENDIAN);
        large.position(100).put(batch.head(NONCE)).position(100);
        ByteBuffer readOnly = large.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        assertThat(PatchBatch.headBytes(readOnly, NONCE, 0, 10_000)).hasValue(72);
        assertThat(PatchBatch.parse(readOnly, NONCE, 0, 10_000)).contains(batch);
        assertThat(readOnly.position()).isEqualTo(100);
    }

    /** What a cut batch leaves at the begin of the next group is of a user, who knows all but the nonce. */
    @Test
    void whoDoesNotKnowTheNonceCannotImitateABatch() {
        PatchBatch wanted = PatchBatch.plan(0, 1L << 40, 1, List.of(write(0, 1)));
        assertThat(PatchBatch.parse(wanted.head(NONCE), NONCE, 0, 1 << 20)).contains(wanted);
        Random random = new Random(3);
        for (int guess = 0; guess < 10_000; guess++) {
            long nonce = guess < Long.SIZE ? NONCE ^ 1L << guess : random.nextLong();
            ByteBuffer forged = wanted.head(nonce);
            assertThat(PatchBatch.headBytes(forged, NONCE, 0, 1 << 20)).isEmpty();
            assertThat(PatchBatch.parse(forged, NONCE, 0, 1 << 20)).isEmpty();
        }
    }

    @Test
    void aWalkFindsAllBatchesUpToTheFirstThatIsTorn() {
        Random random = new Random(11);
        int stripe = 64 * 1024;
        byte[] group = new byte[20 * stripe];
        random.nextBytes(group); // also what lies behind the end
        List<PatchBatch> written = new ArrayList<>();
        long at = 0;
        for (int number = 1; number <= 30; number++) {
            PatchBatch batch = PatchBatch.plan(at, number, FILE, randomWrites(random, random.nextInt(6)));
            if (number % 3 == 0) {
                batch = batch.padTo((batch.end() + stripe - 1) / stripe * stripe);
            }
            batch.head(NONCE).get(group, (int) at, batch.headBytes());
            written.add(batch);
            at = batch.end();
        }
        assertThat(walk(group, at)).isEqualTo(written);
        assertThat(walk(group, group.length)).isEqualTo(written);
        for (long length = 0; length < at; length += 97) {
            long end = length;
            assertThat(walk(group, length))
                    .isEqualTo(
                            written.stream().filter(batch -> batch.end() <= end).toList());
        }
    }

    private static List<PatchBatch> walk(byte[] group, long groupLength) {
        List<PatchBatch> found = new ArrayList<>();
        long at = 0;
        while (true) {
            int left = (int) Math.max(0, groupLength - at);
            ByteBuffer header = ByteBuffer.wrap(group, (int) at, Math.min(PatchBatch.HEADER_BYTES, left));
            int headBytes = PatchBatch.headBytes(header, NONCE, at, groupLength).orElse(0);
            Optional<PatchBatch> batch =
                    PatchBatch.parse(ByteBuffer.wrap(group, (int) at, headBytes), NONCE, at, groupLength);
            if (batch.isEmpty()) {
                return found;
            }
            found.add(batch.get());
            at = batch.get().end();
        }
    }

    @Test
    void asManyWritesFitAsAPlanOfThemEndsAtTheLimit() {
        Random random = new Random(17);
        for (int run = 0; run < 3_000; run++) {
            List<Write> writes = randomWrites(random, random.nextInt(15));
            long begin = random.nextInt(10_000);
            List<Write> some = writes.subList(0, random.nextInt(writes.size() + 1));
            long limit = PatchBatch.plan(begin, 1, FILE, some).end() + random.nextInt(3) - 1;
            int most = 0;
            for (int n = 1; n <= writes.size(); n++) {
                if (PatchBatch.plan(begin, 1, FILE, writes.subList(0, n)).end() <= limit) {
                    most = n;
                }
            }
            assertThat(PatchBatch.fitting(begin, limit, writes)).isEqualTo(most);
        }
    }

    @Test
    void aBatchIsBounded() {
        List<Write> large = Collections.nCopies(4, write(0, Write.MAX_BYTES));
        assertThat(PatchBatch.fitting(0, Long.MAX_VALUE, large)).isEqualTo(3);
        assertThatThrownBy(() -> PatchBatch.plan(0, 1, FILE, large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("make several batches");
        List<Write> many = Collections.nCopies(PatchBatch.MAX_WRITES + 1, write(0, 1));
        assertThat(PatchBatch.fitting(0, Long.MAX_VALUE, many)).isEqualTo(PatchBatch.MAX_WRITES);
        PatchBatch most = PatchBatch.plan(0, 1, 1, many.subList(1, many.size()));
        assertThat(parse(most)).contains(most);
        assertThat(PatchBatch.parse(most.head(NONCE).limit(32), NONCE, 0, most.end()))
                .isEmpty();
        assertThatThrownBy(() -> most.padTo(most.end() - 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> most.padTo(PatchBatch.MAX_BYTES + 1L)).isInstanceOf(IllegalArgumentException.class);
        assertThat(most.padTo(PatchBatch.MAX_BYTES).bytes()).isEqualTo(PatchBatch.MAX_BYTES);
    }

    @Test
    void refusesWhatCannotBeWritten() {
        assertThatThrownBy(() -> write(-1, 1)).hasMessageContaining("choose a lower position");
        assertThatThrownBy(() -> write(Write.MAX_POSITION, 1)).hasMessageContaining("choose a lower position");
        assertThatThrownBy(() -> write(0, Write.MAX_BYTES + 1)).hasMessageContaining("split the write");
        assertThatThrownBy(() -> write(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PatchBatch.plan(0, 1, 9, List.of(write(0, 10))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beyond the file's 9 bytes");
        assertThatThrownBy(() -> PatchBatch.plan(0, 0, 9, List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PatchBatch.plan(-1, 1, 9, List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PatchBatch.plan(Long.MAX_VALUE, 1, 9, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

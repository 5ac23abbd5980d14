package io.ecfs.bench.koh.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.bench.load.Content;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExpectedFileTest {
    private static final int BLOCK = 512;
    private static final int BYTES = 3 << 20;

    private final Content content = new Content(BYTES);

    private static void put(byte[] file, long position, ByteBuffer data) {
        data.duplicate().get(file, (int) position, data.remaining());
    }

    @Test
    void holdsWhatWasWrittenLastWhereverItIsRead() {
        ExpectedFile expected = new ExpectedFile(content, 7, BYTES, BLOCK);
        byte[] file = new byte[BYTES];
        SplittableRandom random = new SplittableRandom(1);
        long end = 0;
        for (int i = 0; i < 2000; i++) {
            int blocks = 1 + random.nextInt(16);
            long position = random.nextLong(BYTES / BLOCK - blocks) * BLOCK;
            put(file, position, expected.write(position, blocks * BLOCK));
            end = Math.max(end, position + (long) blocks * BLOCK);
        }
        assertThat(expected.length()).isEqualTo(end);
        for (int i = 0; i < 2000; i++) {
            int length = 1 + random.nextInt(20 * BLOCK);
            int position = random.nextInt((BYTES - length) / BLOCK) * BLOCK;
            byte[] read = java.util.Arrays.copyOfRange(file, position, position + length);
            assertThat(expected.holds(position, read, length)).isTrue();
            read[random.nextInt(length)]++;
            assertThat(expected.holds(position, read, length)).isFalse();
        }
    }

    @Test
    void aFilledFileHasTheBytesThatBenchesWrite() {
        ExpectedFile expected = new ExpectedFile(content, 7, BYTES, BLOCK);
        expected.fill(BYTES);
        assertThat(expected.length()).isEqualTo(BYTES);
        byte[] slice = new byte[Content.SLICE];
        System.arraycopy(content.pool(), content.offset(expected.filledId(), 2), slice, 0, Content.SLICE);
        assertThat(expected.holds(2L << 20, slice, slice.length)).isTrue();
        assertThat(expected.holds(1L << 20, slice, slice.length)).isFalse();
    }

    @Test
    void whatWasNeverWrittenIsZeros() {
        ExpectedFile expected = new ExpectedFile(content, 7, BYTES, BLOCK);
        put(new byte[BYTES], 8 * BLOCK, expected.write(8 * BLOCK, BLOCK));
        assertThat(expected.holds(0, new byte[8 * BLOCK], 8 * BLOCK)).isTrue();
        assertThat(expected.holds(0, new byte[9 * BLOCK], 9 * BLOCK)).isFalse();
        byte[] one = new byte[BLOCK];
        one[BLOCK - 1] = 1;
        assertThat(expected.holds(0, one, BLOCK)).isFalse();
    }

    @Test
    void anOlderWriteOfTheSameBlockIsAnother() {
        ExpectedFile expected = new ExpectedFile(content, 7, BYTES, BLOCK);
        byte[] older = new byte[BLOCK];
        put(older, 0, expected.write(0, BLOCK));
        assertThat(expected.holds(0, older, BLOCK)).isTrue();
        expected.write(0, BLOCK);
        assertThat(expected.holds(0, older, BLOCK)).isFalse();
    }

    @Test
    void writesLongerThanASliceAreCopied() {
        ExpectedFile expected = new ExpectedFile(content, 7, BYTES, BLOCK);
        int bytes = Content.SLICE + 3 * BLOCK;
        ByteBuffer data = expected.write(BLOCK, bytes);
        assertThat(data.remaining()).isEqualTo(bytes);
        byte[] copy = new byte[bytes];
        data.get(copy);
        assertThat(expected.holds(BLOCK, copy, bytes)).isTrue();
    }
}

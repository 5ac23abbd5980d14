package io.ecfs.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComposedChecksumTest {
    private static int crc(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void partsOfAnyLengthsGiveTheChecksumOfTheWhole(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[300_000];
        random.nextBytes(bytes);
        for (int round = 0; round < 20; round++) {
            ComposedChecksum composed = new ComposedChecksum();
            for (int at = 0; at < bytes.length; ) {
                int part = random.nextBoolean() ? ChunkPayload.WINDOW_BYTES : random.nextInt(20_000);
                int end = Math.min(bytes.length, at + part);
                composed.add(crc(bytes, at, end), end - at);
                at = end;
            }
            assertThat(composed.value()).isEqualTo(crc(bytes, 0, bytes.length));
        }
    }

    @Test
    void ofNothingItIsZeroAndNothingAddsNothing() {
        ComposedChecksum composed = new ComposedChecksum();
        assertThat(composed.value()).isZero();
        composed.add(77, 5);
        composed.add(0, 0);
        assertThat(composed.value()).isEqualTo(77);
        assertThatThrownBy(() -> composed.add(1, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 4096, 100_001})
    void zerosAreAddedWithoutTheirChecksum(int zeros) {
        byte[] bytes = new byte[5000 + zeros + 33];
        new Random(4).nextBytes(bytes);
        Arrays.fill(bytes, 5000, 5000 + zeros, (byte) 0);
        ComposedChecksum composed = new ComposedChecksum();
        composed.add(crc(bytes, 0, 5000), 5000);
        composed.addZeros(zeros);
        composed.add(crc(bytes, 5000 + zeros, bytes.length), 33);
        assertThat(composed.value()).isEqualTo(crc(bytes, 0, bytes.length));
        ComposedChecksum only = new ComposedChecksum();
        only.addZeros(zeros);
        assertThat(only.value()).isEqualTo(crc(new byte[zeros], 0, zeros));
    }

    @Test
    void theOrderOfPartsCounts() {
        ComposedChecksum one = new ComposedChecksum();
        one.add(77, 4096);
        one.add(78, 4096);
        ComposedChecksum other = new ComposedChecksum();
        other.add(78, 4096);
        other.add(77, 4096);
        assertThat(one.value()).isNotEqualTo(other.value());
    }
}

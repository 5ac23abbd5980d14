package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EntryFormatTest {
    private static final List<byte[]> PARTS = List.of(new byte[] {1, 2, 3}, new byte[0], new byte[] {-1});

    @Test
    void givesBackWhatWasEncodedAndNeedsEveryByteOfIt() {
        byte[] encoded = EntryFormat.encode(PARTS);
        assertThat(EntryFormat.decode(ByteBuffer.wrap(encoded))).containsExactlyElementsOf(PARTS);
        assertThat(EntryFormat.decode(ByteBuffer.wrap(EntryFormat.encode(List.of()))))
                .isEmpty();
        for (int length = 0; length < encoded.length; length++) {
            byte[] cut = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() -> EntryFormat.decode(ByteBuffer.wrap(cut)))
                    .as("cut to %d bytes", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesOtherVersionsLeftoversAndImpossibleCounts() {
        byte[] encoded = EntryFormat.encode(PARTS);
        byte[] version = encoded.clone();
        version[0] = 9;
        assertThatThrownBy(() -> EntryFormat.decode(ByteBuffer.wrap(version))).hasMessageContaining("version 9");
        byte[] longer = Arrays.copyOf(encoded, encoded.length + 1);
        assertThatThrownBy(() -> EntryFormat.decode(ByteBuffer.wrap(longer))).hasMessageContaining("after its last");
        byte[] count = encoded.clone();
        count[1] = 0x7f;
        assertThatThrownBy(() -> EntryFormat.decode(ByteBuffer.wrap(count))).hasMessageContaining("claims");
    }
}

package io.ecfs.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellLayoutTest {
    private static final int CELL = 70_000;

    private final CellLayout layout = CellLayout.of(CELL);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, ChunkPayload.WINDOW_BYTES, ChunkPayload.WINDOW_BYTES + 1, CELL - 1, CELL})
    void aPayloadOfAnyLengthEndsWithDataAtTheSamePlace(int stored) {
        ByteBuf buffer = Unpooled.buffer(layout.bufferBytes(CELL));
        layout.data(buffer, CELL).put(CELL - 1, (byte) 7);
        layout.seal(buffer, stored);
        assertThat(ChunkPayload.fits(buffer, stored)).isTrue();
        assertThat(ChunkPayload.firstMismatch(buffer, stored)).isEmpty();
        assertThat(buffer.writerIndex()).isEqualTo(layout.dataAt() + stored);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 4096, CELL, 1 << 20})
    void dataBeginsAlignedBehindTheChecksumsOfAWholeCell(int cellBytes) {
        int dataAt = CellLayout.of(cellBytes).dataAt();
        assertThat(dataAt % 64).isZero();
        assertThat(dataAt - ChunkPayload.checksumBytes(cellBytes)).isBetween(0, 63);
    }
}

package io.ecfs.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkPayloadTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 4095, 4096, 4097, 8191, 8192, 8193, 65536, 70001})
    void sealedPayloadVerifiesAndEveryFlippedBitIsFoundInItsWindow(int bytes) {
        byte[] data = new byte[bytes];
        new Random(bytes).nextBytes(data);
        ByteBuf payload = sealed(data);
        try {
            assertThat(ChunkPayload.firstMismatch(payload, bytes)).isEmpty();
            assertThat(ChunkPayload.data(payload, bytes)).isEqualTo(Unpooled.wrappedBuffer(data));
            int start = payload.readerIndex() + ChunkPayload.checksumBytes(bytes);
            for (int at = 0; at < bytes; at += Math.max(1, bytes / 37)) {
                payload.setByte(start + at, payload.getByte(start + at) ^ 1 << (at % 8));
                assertThat(ChunkPayload.firstMismatch(payload, bytes)).hasValue(at / 4096 * 4096);
                payload.setByte(start + at, data[at]);
            }
        } finally {
            payload.release();
        }
    }

    @Test
    void checksumsAreBigEndianCrc32cOfEachWindowInFrontOfTheData() {
        byte[] data = new byte[5000];
        new Random(7).nextBytes(data);
        ByteBuf payload = sealed(data);
        CRC32C first = new CRC32C();
        first.update(data, 0, 4096);
        CRC32C second = new CRC32C();
        second.update(data, 4096, 904);
        assertThat(payload.getInt(payload.readerIndex())).isEqualTo((int) first.getValue());
        assertThat(payload.getInt(payload.readerIndex() + 4)).isEqualTo((int) second.getValue());
        payload.release();
    }

    @Test
    void payloadInSeveralPiecesOfMemoryVerifiesToo() {
        byte[] data = new byte[20_000];
        new Random(8).nextBytes(data);
        ByteBuf payload = sealed(data);
        ByteBuf pieces = Unpooled.wrappedBuffer(
                payload.copy(payload.readerIndex(), 4097),
                payload.copy(payload.readerIndex() + 4097, payload.readableBytes() - 4097));
        payload.release();
        try {
            assertThat(pieces.nioBufferCount()).isEqualTo(2);
            assertThat(ChunkPayload.firstMismatch(pieces, data.length)).isEmpty();
            int last = pieces.writerIndex() - 1;
            pieces.setByte(last, pieces.getByte(last) ^ 0x10);
            assertThat(ChunkPayload.firstMismatch(pieces, data.length)).hasValue(16_384);
        } finally {
            pieces.release();
        }
    }

    @Test
    void payloadOfAnotherSizeIsRefused() {
        ByteBuf payload = Unpooled.buffer(100).writeZero(100);
        assertThat(ChunkPayload.fits(payload, 96)).isTrue();
        assertThat(ChunkPayload.fits(payload, 97)).isFalse();
        assertThat(ChunkPayload.fits(payload, -1)).isFalse();
        assertThatThrownBy(() -> ChunkPayload.firstMismatch(payload, 97)).isInstanceOf(IllegalArgumentException.class);
        payload.release();
    }

    private static ByteBuf sealed(byte[] data) {
        ByteBuf payload = Unpooled.directBuffer();
        payload.writeZero(3).skipBytes(3);
        payload.writeZero(ChunkPayload.checksumBytes(data.length)).writeBytes(data);
        ChunkPayload.seal(payload, data.length);
        return payload;
    }
}

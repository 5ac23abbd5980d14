package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.transfer.ReadRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What tests of volumes expect of reads and refusals. */
final class VolumeAssertions {
    private VolumeAssertions() {}

    /**
     * A read of {@code bytes} at {@code offset} gives the bytes [from, to) of the chunk, under checksums that match.
     */
    static void assertReads(Volume volume, ChunkId chunk, long offset, int bytes, long from, long to)
            throws IOException {
        ByteBuf into = Unpooled.buffer(ReadRange.payloadBytesFor(offset, bytes));
        ReadRange range = volume.read(chunk, offset, bytes, into);
        assertThat(range).isEqualTo(new ReadRange(from, to));
        assertThat(into).isEqualTo(payload(chunk, from, range.bytes()));
        assertThat(ChunkPayload.firstMismatch(into, range.bytes())).isEmpty();
    }

    static void assertCode(ErrorCode code, ThrowingCallable call) {
        EcfsException e = catchThrowableOfType(EcfsException.class, call);
        assertThat(e).isNotNull();
        assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
    }
}

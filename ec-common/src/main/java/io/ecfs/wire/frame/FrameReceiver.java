package io.ecfs.wire.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * Receive buffers of one connection: while a large frame is being received, the frame's own memory, so that the
 * kernel's copy is the only one; otherwise a small buffer in which {@link FrameDecoder} finds headers and small frames.
 */
public final class FrameReceiver extends DefaultMaxMessagesRecvByteBufAllocator {
    /** Room for dozens of small frames; of a large one at most so much is copied. */
    private static final int SMALL_BYTES = 16 << 10;

    private final FrameDecoder decoder;

    public FrameReceiver(FrameDecoder decoder) {
        this.decoder = decoder;
    }

    @Override
    @SuppressWarnings("deprecation") // the deprecated type is what this method is declared to return
    public Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public int guess() {
                return SMALL_BYTES;
            }

            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                return decoder.target().map(ByteBuf::retain).orElseGet(() -> super.allocate(allocator));
            }
        };
    }
}

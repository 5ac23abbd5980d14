package io.ecfs.wire.frame;

import io.netty.buffer.ByteBuf;

/**
 * A frame that was received whole. Its owner owns both buffers, and the {@code header.length()} bytes of the intake
 * budget.
 */
public record Frame(FrameHeader header, ByteBuf head, ByteBuf payload) {
    public void release() {
        head.release();
        payload.release();
    }
}

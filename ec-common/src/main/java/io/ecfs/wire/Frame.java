package io.ecfs.wire;

import io.netty.buffer.ByteBuf;

/**
 * A frame that was received whole. Its owner owns both buffers, and the {@code header.length()} bytes of the intake
 * budget.
 */
record Frame(FrameHeader header, ByteBuf head, ByteBuf payload) {
    void release() {
        head.release();
        payload.release();
    }
}

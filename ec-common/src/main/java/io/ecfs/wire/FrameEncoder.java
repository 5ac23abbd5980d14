package io.ecfs.wire;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/** Puts frames on the socket: the transport gathers both buffers into one write, the payload is not copied. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by exceptionCaught and channelInactive
@Sharable
final class FrameEncoder extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        EncodedFrame frame = (EncodedFrame) message;
        if (!frame.payload().isReadable()) {
            frame.payload().release();
            context.write(frame.start(), promise);
            return;
        }
        context.write(frame.start(), context.newPromise());
        context.write(frame.payload(), promise); // the last bytes of the frame decide its fate
    }
}

package io.ecfs.wire.frame;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose peer has begun a frame and sends the rest too slowly, since the frame takes bytes of a
 * budget that all connections share. Time in which this end does not read is not counted. Owned by the channel's event
 * loop.
 */
public final class FrameProgress extends ChannelInboundHandlerAdapter {
    private static final int SECONDS = 5;
    private static final long LEAST_BYTES_PER_SECOND = 64 << 10;

    private final FrameDecoder decoder;
    private boolean watching;
    private FrameDecoder.Place seen;

    public FrameProgress(FrameDecoder decoder) {
        this.decoder = decoder;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (!watching && decoder.inFrame()) {
            watch(context);
        }
        context.fireChannelReadComplete();
    }

    private void watch(ChannelHandlerContext context) {
        watching = true;
        seen = decoder.place();
        context.executor().schedule(() -> judge(context), SECONDS, TimeUnit.SECONDS);
    }

    private void judge(ChannelHandlerContext context) {
        watching = false;
        FrameDecoder.Place now = decoder.place();
        if (!decoder.inFrame() || !context.channel().isActive()) {
            return;
        }
        boolean sameFrame = now.frames() == seen.frames() && now.holds() == seen.holds() && !now.stopped();
        long received = now.bytes() - seen.bytes();
        if (sameFrame && received < SECONDS * LEAST_BYTES_PER_SECOND) {
            context.fireUserEventTriggered(new MalformedFrame("a frame stands still: " + received
                    + " bytes of it came in " + SECONDS + " s, at least " + LEAST_BYTES_PER_SECOND + " a second must"));
            context.close();
            return;
        }
        watch(context);
    }
}

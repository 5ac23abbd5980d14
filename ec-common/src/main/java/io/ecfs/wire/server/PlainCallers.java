package io.ecfs.wire.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.wire.frame.EncodedFrame;
import io.ecfs.wire.frame.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.InetSocketAddress;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before TLS at a server: who begins with a plain frame is answered in its own way, with one that says what is
 * missing, where TLS would only close the connection. All others pass after their first bytes. Owned by the channel's
 * event loop.
 */
final class PlainCallers extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(PlainCallers.class);

    private final ServerContext shared;
    private boolean refused;

    PlainCallers(ServerContext shared) {
        this.shared = shared;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (refused) {
            in.skipBytes(in.readableBytes());
        } else if (in.readableBytes() >= Integer.BYTES) {
            if (in.getInt(in.readerIndex()) == FrameHeader.MAGIC) {
                in.skipBytes(in.readableBytes());
                refuse(context);
            } else {
                context.pipeline().remove(this); // hands on what it has
            }
        }
    }

    private void refuse(ChannelHandlerContext context) {
        refused = true;
        Address remote = context.channel().remoteAddress() instanceof InetSocketAddress peer
                ? new Address(peer.getAddress().getHostAddress(), peer.getPort())
                : new Address("unknown", 0);
        EcfsException reason = new EcfsException(
                ErrorCode.ACCESS_DENIED,
                shared.greeting().get().role() + " takes connections with TLS only: set client.tls.authority (for a"
                        + " daemon wire.tls) to the certificates that it is signed by");
        LOG.info("event=connection_refused peer={} code={} reason=\"no TLS\"", remote, reason.code());
        EncodedFrame answer =
                new AnswerFrames(shared, context.alloc(), () -> remote, () -> "user=? role=?").ofFailure(0, reason);
        answer.payload().release();
        context.writeAndFlush(answer.start()).addListener(ChannelFutureListener.CLOSE);
    }
}

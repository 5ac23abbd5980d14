package io.ecfs.wire.frame;

import io.ecfs.buffer.FileSlice;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultFileRegion;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Puts frames on the socket: the transport gathers both buffers into one write, neither payload nor file is copied in
 * this process.
 */
@Sharable
public final class FrameEncoder extends ChannelOutboundHandlerAdapter {
    /** So many writes go out together at most. */
    public static final int FLUSH_AFTER = 64;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        EncodedFrame frame = (EncodedFrame) message;
        Deque<Object> parts = new ArrayDeque<>();
        parts.add(frame.start());
        if (frame.payload().isReadable()) {
            parts.add(frame.payload());
        } else {
            frame.payload().release();
        }
        frame.file().ifPresent(file -> parts.add(new SentFile(file)));
        while (parts.size() > 1) {
            context.write(parts.remove(), context.newPromise());
        }
        context.write(parts.remove(), promise); // the last bytes of the frame decide its fate
    }

    /** Given back when it is sent, or cannot be. */
    private static final class SentFile extends DefaultFileRegion {
        private final FileSlice bytes;

        SentFile(FileSlice bytes) {
            super(bytes.file(), bytes.offset(), bytes.bytes());
            this.bytes = bytes;
        }

        @Override
        protected void deallocate() {
            bytes.close(); // but not the file, which is borrowed
        }
    }
}

package io.ecfs.wire;

import io.ecfs.buffer.CellAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network threads of a process, with the memory they receive into: shared by its server and clients, closed after
 * them. Linux epoll if it is available, NIO otherwise; logged.
 */
public final class WireLoops implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WireLoops.class);
    private static final long PATIENCE_SECONDS = 30;

    private final CellAllocator allocator = CellAllocator.take();
    private final EventLoopGroup group;
    private final boolean epoll;
    private final AtomicBoolean closed = new AtomicBoolean();

    private WireLoops(String name, int threads, boolean epoll) {
        this.epoll = epoll;
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        group = new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), io);
        LOG.info("event=wire_loops name={} threads={} transport={}", name, threads, transport());
    }

    /** @param threads number of event loops, at least 1 */
    public static WireLoops open(String name, int threads) {
        return new WireLoops(name, threads, Epoll.isAvailable());
    }

    /** As {@link #open}, over NIO even if epoll is available. */
    public static WireLoops openNio(String name, int threads) {
        return new WireLoops(name, threads, false);
    }

    /** {@code epoll} or {@code nio}. */
    public String transport() {
        return epoll ? "epoll" : "nio";
    }

    /** Bytes of network buffers in use. */
    public long bufferBytes() {
        return allocator.usedBytes();
    }

    /** Stops the threads and waits for them; not to be called from one of them. Idempotent. */
    @Override
    public void close() {
        if (!group.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            LOG.error("event=wire_loops_stuck waitedSeconds={}", PATIENCE_SECONDS);
        } else if (!closed.getAndSet(true)) {
            allocator.giveBack();
        }
    }

    public EventLoopGroup group() {
        return group;
    }

    public ByteBufAllocator allocator() {
        return allocator;
    }

    public boolean isEpoll() {
        return epoll;
    }

    public Class<? extends Channel> socketChannel() {
        return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    public Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }
}

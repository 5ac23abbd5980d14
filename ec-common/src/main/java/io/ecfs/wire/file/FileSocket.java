package io.ecfs.wire.file;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.frame.Frame;
import io.ecfs.wire.frame.FrameDecoder;
import io.ecfs.wire.frame.Intake;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes open files to other processes of this machine, over a Unix socket (SCM_RIGHTS; HDFS-347). A connection asks
 * once: one frame with a {@link ChunkRequest.FindLocally}, whose token is checked as for a read. The answer is the
 * descriptors, or the end of the connection. What it holds for strangers is bounded: so many connections, one small
 * frame and a few seconds each.
 */
public final class FileSocket implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileSocket.class);
    private static final int MAX_CONNECTIONS = 256;
    private static final int MAX_FRAME = 16 << 10;
    private static final long PATIENCE_SECONDS = 10;
    /** Longest path that the kernel accepts, without the terminating zero (unix(7)). */
    private static final int MAX_PATH_BYTES = 107;

    private final Channel listener;
    private final ChannelGroup connections;

    private FileSocket(Channel listener, ChannelGroup connections) {
        this.listener = listener;
        this.connections = connections;
    }

    /** Source of the files. */
    public interface Source {
        /**
         * @return numbers of files that are open for reading, which are taken over, in the order in which they are
         *     passed
         */
        CompletionStage<List<Integer>> open(ChunkRequest.FindLocally asked);
    }

    /**
     * Listens. What has the name must be gone.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} where that cannot be, {@code UNSUPPORTED} without epoll
     */
    public static FileSocket start(WireLoops loops, Path socket, Source source) throws EcfsException {
        if (!loops.isEpoll()) {
            throw new EcfsException(ErrorCode.UNSUPPORTED, "without epoll no files can be passed at " + socket);
        }
        requireLength(socket);
        ChannelGroup connections = new DefaultChannelGroup("file-socket", GlobalEventExecutor.INSTANCE, true);
        MemoryBudget budget = new MemoryBudget("requests at " + socket, (long) MAX_CONNECTIONS * MAX_FRAME);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.group())
                .channel(EpollServerDomainSocketChannel.class)
                .childOption(ChannelOption.ALLOCATOR, loops.allocator())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new FrameDecoder(Intake.of(budget), MAX_FRAME),
                                        new Asker(source, connections, budget));
                    }
                })
                .bind(new DomainSocketAddress(socket.toFile()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "cannot listen on " + socket + ": " + bound.cause().getMessage(),
                    bound.cause());
        }
        LOG.info("event=file_socket_listening path={}", socket);
        return new FileSocket(bound.channel(), connections);
    }

    /** Returns whether a process listens there. */
    public static boolean isServed(WireLoops loops, Path socket) {
        if (!loops.isEpoll()) {
            return false;
        }
        ChannelFuture connected = new Bootstrap()
                .group(loops.group())
                .channel(EpollDomainSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(new DomainSocketAddress(socket.toFile()))
                .awaitUninterruptibly();
        connected.channel().close();
        return connected.isSuccess();
    }

    private static void requireLength(Path socket) throws EcfsException {
        int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_PATH_BYTES) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "the path of a Unix socket has at most " + MAX_PATH_BYTES + " bytes, " + socket + " has " + bytes);
        }
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
    }

    static void closeAll(List<FileDescriptor> files) {
        for (FileDescriptor file : files) {
            try {
                file.close();
            } catch (IOException e) {
                LOG.warn("event=descriptor_close_failed error=\"{}\"", e.toString());
            }
        }
    }

    /** The server's end of one connection. Owned by the channel's event loop. */
    private static final class Asker extends ChannelInboundHandlerAdapter {
        private final Source source;
        private final ChannelGroup connections;
        private final MemoryBudget budget;
        private final MessageCodec codec = new MessageCodec();
        private boolean asked;

        Asker(Source source, ChannelGroup connections, MemoryBudget budget) {
            this.source = source;
            this.connections = connections;
            this.budget = budget;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            connections.add(context.channel());
            if (connections.size() > MAX_CONNECTIONS) {
                LOG.info("event=file_request_refused reason=\"all {} connections are taken\"", MAX_CONNECTIONS);
                context.close();
            } else {
                context.executor().schedule(() -> context.close(), PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Frame frame = (Frame) message;
            try {
                if (asked
                        || !(codec.decode(frame.header().type(), frame.head())
                                instanceof ChunkRequest.FindLocally find)) {
                    throw new EcfsException(ErrorCode.MALFORMED, "one FindLocally is due on a connection");
                }
                asked = true;
                source.open(find)
                        .whenCompleteAsync(
                                (files, failure) -> {
                                    if (failure == null) {
                                        pass(context, files);
                                    } else {
                                        refuse(context, failure);
                                    }
                                },
                                context.executor());
            } catch (EcfsException e) {
                refuse(context, e);
            } finally {
                frame.release();
                budget.release(frame.header().length());
            }
        }

        private static void pass(ChannelHandlerContext context, List<Integer> numbers) {
            List<FileDescriptor> files =
                    numbers.stream().map(FileDescriptor::new).toList();
            ChannelFuture last = context.newSucceededFuture();
            for (FileDescriptor file : files) {
                last = context.write(file);
            }
            context.flush();
            last.addListener(passed -> closeAll(files)); // the receiver has its own numbers by then
            last.addListener(ChannelFutureListener.CLOSE);
        }

        private static void refuse(ChannelHandlerContext context, Throwable reason) {
            LOG.debug(
                    "event=file_request_refused reason=\"{}\"",
                    EcfsException.of(reason).getMessage());
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.info("event=file_request_failed reason=\"{}\"", cause.toString());
            context.close();
        }
    }
}

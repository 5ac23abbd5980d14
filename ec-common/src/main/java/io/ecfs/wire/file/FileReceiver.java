package io.ecfs.wire.file;

import io.ecfs.env.FileNumbers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.frame.EncodedFrame;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Requests open files from a {@link FileSocket} of this machine. Any thread. */
public final class FileReceiver {
    private static final int MAX_FRAME = 16 << 10;

    private final WireLoops loops;
    private final FileNumbers numbers;

    private FileReceiver(WireLoops loops, FileNumbers numbers) {
        this.loops = loops;
        this.numbers = numbers;
    }

    /** A receiver; empty when the system does not support it. */
    public static Optional<FileReceiver> over(WireLoops loops, Optional<FileNumbers> numbers) {
        return numbers.filter(found -> loops.isEpoll()).map(found -> new FileReceiver(loops, found));
    }

    /**
     * Requests the files of a chunk, its bytes and its checksums.
     *
     * @return both in that order, open for reading, owned by the caller; fails with {@code UNSUPPORTED} when there are
     *     none
     */
    public CompletableFuture<List<FileChannel>> ask(Path socket, ChunkRequest.FindLocally chunk, Duration patience) {
        Receiving receiving = new Receiving(socket, chunk, patience);
        ChannelFuture connecting = new Bootstrap()
                .group(loops.group())
                .channel(EpollDomainSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, loops.allocator())
                .option(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
                .handler(receiving)
                .connect(new DomainSocketAddress(socket.toFile()));
        connecting.addListener(connected -> {
            if (!connected.isSuccess()) {
                receiving.fail("cannot connect: " + connected.cause().getMessage());
            }
        });
        return receiving.result;
    }

    /** One connection. Owned by its event loop. */
    private final class Receiving extends ChannelInboundHandlerAdapter {
        private static final int FILES = 2;

        private final Path socket;
        private final ChunkRequest.FindLocally chunk;
        private final Duration patience;
        private final List<FileDescriptor> received = new ArrayList<>();
        private final CompletableFuture<List<FileChannel>> result = new CompletableFuture<>();

        Receiving(Path socket, ChunkRequest.FindLocally chunk, Duration patience) {
            this.socket = socket;
            this.chunk = chunk;
            this.patience = patience;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) throws EcfsException {
            EncodedFrame frame =
                    EncodedFrame.of(new MessageCodec(), context.alloc(), 0, 1, Envelope.of(chunk), MAX_FRAME);
            frame.payload().release();
            context.writeAndFlush(frame.start());
            context.executor()
                    .schedule(
                            () -> {
                                fail("no answer within " + patience.toMillis() + " ms");
                                context.close();
                            },
                            patience.toMillis(),
                            TimeUnit.MILLISECONDS);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            FileDescriptor file = (FileDescriptor) message;
            if (result.isDone()) {
                FileSocket.closeAll(List.of(file));
                return;
            }
            received.add(file);
            if (received.size() == FILES) {
                take();
                context.close();
            }
        }

        private void take() {
            List<FileChannel> files = new ArrayList<>();
            try {
                while (!received.isEmpty()) {
                    files.add(numbers.adopt(received.get(0).intValue()));
                    received.remove(0);
                }
            } catch (IOException e) {
                close(files);
                fail(e.getMessage());
                return;
            }
            if (!result.complete(files)) {
                close(files);
            }
        }

        private static void close(List<FileChannel> files) {
            for (FileChannel file : files) {
                try {
                    file.close();
                } catch (IOException unread) {
                    // never written to, and not read any more
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail("closed without an answer");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(cause.toString());
            context.close();
        }

        private void fail(String reason) {
            FileSocket.closeAll(received);
            received.clear();
            result.completeExceptionally(new EcfsException(
                    ErrorCode.UNSUPPORTED, "no files of " + chunk.chunk() + " at " + socket + ": " + reason));
        }
    }
}

package io.ecfs.console.cluster;

import io.ecfs.env.real.Poller;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Address;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.frame.RawFrames;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Connections of one user to all daemons of a cluster that announce 16 MiB each and then send a byte a minute. A
 * connection that a daemon closes is opened again at the next round, ten rounds a second. Owned by its thread.
 */
final class StalledPeers implements AutoCloseable {
    /** Head and payload are at most 16 MiB. */
    private static final int ANNOUNCED_BYTES = (16 << 20) - 4096;

    private static final int SENT_BYTES = 64;
    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(100);
    private static final long NANOS_BETWEEN_BYTES = Duration.ofMinutes(1).toNanos();

    private final List<Address> daemons;
    private final SocketChannel[] channels;
    private final byte[] beginning;
    private final Thread thread = new Thread(this::run, "stalled-peers");
    private volatile boolean ended;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong closedByDaemons = new AtomicLong();
    private volatile IOException failure;

    StalledPeers(List<Address> daemons, int connections) throws IOException {
        this.daemons = List.copyOf(daemons);
        this.channels = new SocketChannel[connections];
        byte[] hello = RawFrames.greeting("mallory");
        byte[] frame = RawFrames.of(
                2,
                new ChunkRequest.WriteCells(new ChunkId(new GroupId(1), 0, 0), 1, 0, ANNOUNCED_BYTES, 0),
                new byte[ANNOUNCED_BYTES]);
        this.beginning = Arrays.copyOf(hello, hello.length + SENT_BYTES);
        System.arraycopy(frame, 0, beginning, hello.length, SENT_BYTES);
        thread.start();
    }

    /** Connections that daemons have not closed. */
    int open() {
        return open.get();
    }

    long closedByDaemons() {
        return closedByDaemons.get();
    }

    private void run() {
        try {
            Poller rounds = Poller.every(BETWEEN_ROUNDS);
            long nextByte = System.nanoTime() + NANOS_BETWEEN_BYTES;
            while (!ended) {
                boolean send = System.nanoTime() > nextByte;
                for (int i = 0; i < channels.length && !ended; i++) {
                    step(i, send);
                }
                nextByte += send ? NANOS_BETWEEN_BYTES : 0;
                rounds.pause();
            }
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void step(int index, boolean send) throws IOException {
        SocketChannel channel = channels[index];
        if (channel == null) {
            Address daemon = daemons.get(index % daemons.size());
            channel = SocketChannel.open(new InetSocketAddress(daemon.host(), daemon.port()));
            channel.write(ByteBuffer.wrap(beginning));
            channel.configureBlocking(false);
            channels[index] = channel;
            open.incrementAndGet();
        } else if (closed(channel, send)) {
            channel.close();
            channels[index] = null;
            open.decrementAndGet();
            closedByDaemons.incrementAndGet();
        }
    }

    private static boolean closed(SocketChannel channel, boolean send) {
        try {
            if (send) {
                channel.write(ByteBuffer.allocate(1));
            }
            return channel.read(ByteBuffer.allocate(4096)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SocketChannel channel : channels) {
            if (channel != null) {
                channel.close();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}

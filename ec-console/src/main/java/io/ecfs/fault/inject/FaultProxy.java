package io.ecfs.fault.inject;

import io.ecfs.message.Address;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A TCP proxy whose two directions can each be cut, slow or lossy, as a link below TCP is: nothing is closed and no
 * byte is lost for good, it only arrives late. A lost segment holds up what follows it for the retransmission timeout,
 * which is 200 ms at least (Linux, {@code TCP_RTO_MIN}); a cut direction holds up everything until it is healed.
 *
 * <pre>
 *   caller --- toward --> daemon
 *   caller <--- back ---- daemon
 * </pre>
 *
 * <p>Differs from a real partition in that connections to it are still accepted.
 */
final class FaultProxy implements Closeable {
    private static final int PIECE_BYTES = 64 << 10;
    private static final int MOST_PIECES = 256;
    private static final int BACKLOG = 64;
    private static final Duration RETRANSMISSION = Duration.ofMillis(200);
    private static final Duration POLL = Duration.ofMillis(10);

    private final Address daemon;
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "fault-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile LinkState toward = LinkState.GOOD;
    private volatile LinkState back = LinkState.GOOD;
    private volatile boolean closed;

    /**
     * State of one direction.
     *
     * @param delay of each piece
     * @param loss share of pieces that are sent again, after the retransmission timeout
     */
    record LinkState(boolean cut, Duration delay, double loss) {
        static final LinkState GOOD = new LinkState(false, Duration.ZERO, 0);
        static final LinkState CUT = new LinkState(true, Duration.ZERO, 0);
    }

    private record Piece(byte[] bytes, long dueNanos) {}

    FaultProxy(Address daemon) throws IOException {
        this.daemon = daemon;
        this.server = new ServerSocket(0, BACKLOG, InetAddress.getByName(daemon.host()));
        threads.execute(this::accept);
    }

    /** Where callers connect to. */
    Address address() {
        return new Address(daemon.host(), server.getLocalPort());
    }

    void set(LinkState newToward, LinkState newBack) {
        toward = newToward;
        back = newBack;
    }

    private void accept() {
        while (!closed) {
            try {
                connect(server.accept());
            } catch (IOException e) {
                if (server.isClosed()) {
                    return;
                }
            }
        }
    }

    /** A daemon that does not listen refuses the caller too: its connection is reset. */
    private void connect(Socket caller) throws IOException {
        Socket behind;
        try {
            behind = new Socket(daemon.host(), daemon.port());
        } catch (IOException e) {
            caller.setSoLinger(true, 0);
            caller.close();
            return;
        }
        sockets.add(caller);
        sockets.add(behind);
        caller.setTcpNoDelay(true);
        behind.setTcpNoDelay(true);
        pump(caller, behind, true);
        pump(behind, caller, false);
    }

    private void pump(Socket from, Socket to, boolean requests) {
        BlockingQueue<Piece> underWay = new ArrayBlockingQueue<>(MOST_PIECES);
        threads.execute(() -> receive(from, underWay, requests));
        threads.execute(() -> deliver(underWay, to, from, requests));
    }

    private LinkState state(boolean requests) {
        return requests ? toward : back;
    }

    private void receive(Socket from, BlockingQueue<Piece> underWay, boolean requests) {
        byte[] buffer = new byte[PIECE_BYTES];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                underWay.put(new Piece(Arrays.copyOf(buffer, read), System.nanoTime() + delayNanos(state(requests))));
            }
            underWay.put(new Piece(new byte[0], System.nanoTime()));
        } catch (IOException reset) {
            end(from, underWay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Socket from, BlockingQueue<Piece> underWay) {
        sockets.remove(from);
        if (!underWay.offer(new Piece(new byte[0], System.nanoTime()))) {
            underWay.clear();
            underWay.add(new Piece(new byte[0], System.nanoTime()));
        }
    }

    private static long delayNanos(LinkState state) {
        boolean lost = state.loss() > 0 && ThreadLocalRandom.current().nextDouble() < state.loss();
        return state.delay().toNanos() + (lost ? RETRANSMISSION.toNanos() : 0);
    }

    private void deliver(BlockingQueue<Piece> underWay, Socket to, Socket from, boolean requests) {
        try (from;
                to) {
            OutputStream out = to.getOutputStream();
            for (Piece piece = underWay.take(); piece.bytes().length > 0; piece = underWay.take()) {
                TimeUnit.NANOSECONDS.sleep(piece.dueNanos() - System.nanoTime());
                awaitLink(requests);
                out.write(piece.bytes());
            }
            awaitLink(requests); // the end of the connection passes no cut link either
        } catch (IOException gone) {
            sockets.remove(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitLink(boolean requests) throws InterruptedException {
        while (state(requests).cut() && !closed) {
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }
}

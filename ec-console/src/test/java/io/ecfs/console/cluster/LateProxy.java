package io.ecfs.console.cluster;

import io.ecfs.message.Address;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands before a daemon: passes requests on at once and answers some time later. When mute it is a stalled process:
 * connections are accepted, nothing is read and nothing is said.
 */
final class LateProxy implements AutoCloseable {
    private static final int PIECE = 64 << 10;

    private final Address daemon;
    private final ServerSocket server;
    private final ExecutorService pumps = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong answered = new AtomicLong();
    private Duration delay = Duration.ZERO; // guarded by this
    private volatile CompletableFuture<Void> speech = CompletableFuture.completedFuture(null);

    LateProxy(Address daemon) throws IOException {
        this.daemon = daemon;
        this.server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        pumps.execute(this::accept);
    }

    Address address() {
        return new Address(server.getInetAddress().getHostAddress(), server.getLocalPort());
    }

    /** Delays answers that arrive from now on, and returns when those that were due before have gone through. */
    void delay(Duration of) {
        synchronized (this) {
            delay = of;
        }
        CompletableFuture.runAsync(() -> {}, timer).join();
    }

    void mute() {
        speech = new CompletableFuture<>();
    }

    void speak() {
        speech.complete(null);
    }

    /** Bytes of answers that went through. */
    long answeredBytes() {
        return answered.get();
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket client = server.accept();
                Socket behind = new Socket(daemon.host(), daemon.port());
                sockets.add(client);
                sockets.add(behind);
                client.setTcpNoDelay(true);
                behind.setTcpNoDelay(true);
                pumps.execute(() -> pump(client, behind, false));
                pumps.execute(() -> pump(behind, client, true));
            }
        } catch (SocketException e) {
            close(); // by whoever ends the test
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        Queue<byte[]> onTheWay = new ConcurrentLinkedQueue<>();
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                speech.join();
                if (answers) {
                    byte[] bytes = Arrays.copyOf(piece, read);
                    synchronized (this) {
                        onTheWay.add(bytes);
                        timer.schedule(() -> passOn(onTheWay, out), delay.toNanos(), TimeUnit.NANOSECONDS);
                    }
                } else {
                    out.write(piece, 0, read);
                }
            }
        } catch (IOException e) {
            sockets.remove(from); // one end is gone, and so the other
        }
    }

    private void passOn(Queue<byte[]> onTheWay, OutputStream out) {
        byte[] bytes = onTheWay.remove();
        try {
            answered.addAndGet(bytes.length); // before anybody can have seen them
            out.write(bytes);
        } catch (IOException e) {
            onTheWay.clear();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        speak();
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pumps.shutdownNow();
    }
}

package io.ecfs.fault.forecast;

import io.ecfs.bench.part.PageCache;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * What this machine can, all its datanodes together.
 *
 * @param writeBytesPerSecond to one file, in order, synced at the end
 * @param readBytesPerSecond of the same file, in order
 * @param accessSeconds of one read of 4 KiB anywhere in it
 * @param loopbackBytesPerSecond of one connection
 * @param cold whether it was read from the disk: only root may empty the page cache
 */
public record MachineSpeed(
        double writeBytesPerSecond,
        double readBytesPerSecond,
        double accessSeconds,
        double loopbackBytesPerSecond,
        boolean cold) {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int FILE_BUFFERS = 256;
    private static final int LOOPBACK_BUFFERS = 2048;
    private static final int ACCESS_BYTES = 4096;
    private static final int ACCESSES = 2000;
    private static final double NANOS = 1e9;

    /** @param parent of the file that is written and removed again; empty: where the system has temporary files */
    public static MachineSpeed measure(Optional<Path> parent) throws IOException, InterruptedException {
        Path file = parent.isPresent()
                ? Files.createTempFile(parent.get(), "ecfs-speed", ".tmp")
                : Files.createTempFile("ecfs-speed", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            double write = write(channel);
            boolean cold = PageCache.empty();
            double read = read(channel);
            PageCache.empty();
            double access = accessSeconds(channel);
            return new MachineSpeed(write, read, access, loopback(), cold);
        } finally {
            Files.delete(file);
        }
    }

    private static double write(FileChannel channel) throws IOException {
        byte[] content = new byte[BUFFER_BYTES];
        new SplittableRandom(1).nextBytes(content);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).put(content);
        long begin = System.nanoTime();
        for (int i = 0; i < FILE_BUFFERS; i++) {
            buffer.clear();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
        channel.force(true);
        return rate(FILE_BUFFERS, begin);
    }

    private static double read(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long begin = System.nanoTime();
        channel.position(0);
        while (channel.read(buffer.clear()) > 0) {
            // Only the time counts.
        }
        return rate(FILE_BUFFERS, begin);
    }

    private static double accessSeconds(FileChannel channel) throws IOException {
        SplittableRandom random = new SplittableRandom(2);
        ByteBuffer buffer = ByteBuffer.allocateDirect(ACCESS_BYTES);
        long places = channel.size() / ACCESS_BYTES;
        long begin = System.nanoTime();
        for (int i = 0; i < ACCESSES; i++) {
            channel.read(buffer.clear(), random.nextLong(places) * ACCESS_BYTES);
        }
        return (System.nanoTime() - begin) / NANOS / ACCESSES;
    }

    private static double loopback() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(server));
            double rate;
            try (Socket receiver = server.accept();
                    InputStream in = receiver.getInputStream()) {
                byte[] buffer = new byte[BUFFER_BYTES];
                long begin = System.nanoTime();
                while (in.read(buffer) >= 0) {
                    // Only the time counts.
                }
                rate = rate(LOOPBACK_BUFFERS, begin);
            }
            sending.join();
            return rate;
        }
    }

    private static void send(ServerSocket server) {
        try (Socket sender = new Socket(server.getInetAddress(), server.getLocalPort());
                OutputStream out = sender.getOutputStream()) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int i = 0; i < LOOPBACK_BUFFERS; i++) {
                out.write(buffer);
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static double rate(int buffers, long begin) {
        return (double) buffers * BUFFER_BYTES / Math.max(1, System.nanoTime() - begin) * NANOS;
    }
}

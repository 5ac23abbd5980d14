package io.ecfs.offence;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** One class a rule; every method breaks it in another way. */
public final class Offences {
    private Offences() {}

    public static final class Time {
        static long nanoTime() {
            return System.nanoTime();
        }

        static long currentTimeMillis() {
            return System.currentTimeMillis();
        }

        static LongSupplier byMethodReference() {
            return System::nanoTime;
        }

        static Instant instant() {
            return Instant.now();
        }

        static Clock clock() {
            return Clock.systemUTC();
        }

        static void sleep() throws InterruptedException {
            Thread.sleep(1);
        }

        static void sleepByUnit() throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(1);
        }

        static CompletableFuture<Void> timeout(CompletableFuture<Void> future) {
            return future.orTimeout(1, TimeUnit.SECONDS);
        }
    }

    public static final class Chance {
        static Random random() {
            return new Random();
        }

        static Random secureRandom() {
            return new SecureRandom();
        }

        static int ofThread() {
            return ThreadLocalRandom.current().nextInt();
        }

        static double ofMath() {
            return Math.random();
        }

        static Supplier<UUID> uuid() {
            return UUID::randomUUID;
        }

        static void shuffle(List<String> list) {
            Collections.shuffle(list);
        }
    }

    public static final class Threads {
        static Thread thread(Runnable task) {
            return new Thread(task);
        }

        static Executor executor() {
            return Executors.newCachedThreadPool();
        }

        static Executor commonPool() {
            return ForkJoinPool.commonPool();
        }

        static CompletableFuture<String> supplyAsync() {
            return CompletableFuture.supplyAsync(() -> "");
        }

        static CompletableFuture<String> thenApplyAsync(CompletableFuture<String> future) {
            return future.thenApplyAsync(text -> text);
        }

        static long parallelStream(List<String> list) {
            return list.parallelStream().count();
        }
    }

    public static final class FilesOpened {
        static byte[] files(Path path) throws IOException {
            return Files.readAllBytes(path);
        }

        static FileChannel channel(Path path) throws IOException {
            return FileChannel.open(path);
        }

        static InputStream stream(Path path) throws IOException {
            return new FileInputStream(path.toFile());
        }

        static RandomAccessFile randomAccess(Path path) throws IOException {
            return new RandomAccessFile(path.toFile(), "r");
        }

        static boolean fileExists(File file) {
            return file.exists();
        }
    }

    public static final class Sockets {
        static Socket socket() {
            return new Socket();
        }

        static SocketChannel channel() throws IOException {
            return SocketChannel.open();
        }

        static InputStream url(URL url) throws IOException {
            return url.openStream();
        }
    }

    public static final class Exits {
        static void exit() {
            System.exit(1);
        }

        static void print() {
            System.out.println();
        }

        static Process child() throws IOException {
            return new ProcessBuilder("true").start();
        }
    }

    public static final class KnowsTheConsole {
        static void main() {
            io.ecfs.console.Main.main(new String[0]);
        }
    }

    public static final class KnowsTheSimulation {
        static Class<?> time() {
            return io.ecfs.sim.time.VirtualTime.class;
        }
    }

    public static final class KnowsRatis {
        static Object id() {
            return org.apache.ratis.protocol.RaftPeerId.valueOf("nn1");
        }
    }

    public static final class KnowsRocksDb {
        static Object options() {
            return new org.rocksdb.Options();
        }
    }

    public static final class KnowsHadoop {
        static Object path() {
            return new org.apache.hadoop.fs.Path("/");
        }
    }

    public static final class KnowsPicocli {
        static Object command() {
            return new picocli.CommandLine(new Object());
        }
    }

    public static final class KnowsTomcat {
        static Object server() {
            return new org.apache.catalina.startup.Tomcat();
        }
    }

    public static final class KnowsHdrHistogram {
        static Object histogram() {
            return new org.HdrHistogram.Histogram(3);
        }
    }

    public static final class KnowsFrames {
        static int headerBytes() {
            return new io.ecfs.wire.frame.FrameHeader(0, 0, 0, 0, 0).length();
        }
    }

    public static final class KnowsNetty {
        static Object bootstrap() {
            return new io.netty.bootstrap.Bootstrap();
        }
    }
}

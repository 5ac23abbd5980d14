package io.ecfs.bench.system;

import io.ecfs.bench.meter.Daemon;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A local cluster for one run of the bench, in a directory of its own that is removed at the end, also when the process
 * is terminated.
 */
public final class OwnCluster implements Target {
    /** Left free beside what a run stores: datanodes refuse new chunks below a gigabyte, and metadata takes some. */
    private static final long RESERVE_BYTES = 2L << 30;

    private static final Set<String> CHUNK_FILES = Set.of(".data", ".sum", ".tail");

    /** The directory of a volume that has the chunks being written. */
    private static final Path WRITING = Path.of("writing");

    private final Path directory;
    private final LocalCluster cluster;
    private final LocalCluster.Mode mode;
    private final Thread hook;
    private final Preparation preparation;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean retained;

    private OwnCluster(Path directory, LocalCluster cluster, LocalCluster.Mode mode, Preparation preparation) {
        this.directory = directory;
        this.cluster = cluster;
        this.mode = mode;
        this.preparation = preparation;
        this.hook = new Thread(this::end, "bench-cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Starts one and returns when it serves.
     *
     * @param chosen where its directory is made; empty: where the system has temporary files
     * @param overrides {@code namenode.key=value} and {@code datanode.key=value}
     * @param neededBytes that will lie on its disks at a time
     * @throws EcfsException {@code NO_SPACE} when they do not fit
     */
    public static OwnCluster start(
            Optional<Path> chosen,
            ClusterPlan.Shape shape,
            LocalCluster.Mode mode,
            List<String> overrides,
            long neededBytes,
            Readiness.Progress progress)
            throws IOException {
        return start(
                chosen,
                shape,
                mode,
                neededBytes,
                (directory, plan) -> LocalCluster.start(directory, plan, mode, overrides, progress));
    }

    /** Starts one in this process, with the given start of datanodes. */
    public static OwnCluster start(
            Optional<Path> chosen,
            ClusterPlan.Shape shape,
            DaemonStart datanodes,
            List<String> overrides,
            long neededBytes,
            Readiness.Progress progress)
            throws IOException {
        return start(
                chosen,
                shape,
                LocalCluster.Mode.ONE_PROCESS,
                neededBytes,
                (directory, plan) -> LocalCluster.start(directory, plan, datanodes, overrides, progress));
    }

    /** The same within surroundings of its own. */
    public static OwnCluster start(
            Optional<Path> chosen,
            ClusterPlan.Shape shape,
            DaemonStart datanodes,
            List<String> overrides,
            long neededBytes,
            Preparation preparation,
            Readiness.Progress progress)
            throws IOException {
        return start(
                chosen,
                shape,
                LocalCluster.Mode.ONE_PROCESS,
                neededBytes,
                (directory, plan) -> {
                    List<String> all = new ArrayList<>(preparation.before(directory, plan));
                    all.addAll(overrides);
                    return LocalCluster.start(directory, plan, datanodes, all, progress);
                },
                preparation);
    }

    /** What surrounds a cluster in its directory: disks that are mounted below it, proxies before its daemons. */
    public interface Preparation {
        /** No surroundings. */
        Preparation NONE = new Preparation() {
            @Override
            public List<String> before(Path directory, ClusterPlan plan) {
                return List.of();
            }

            @Override
            public void stopping() {}

            @Override
            public void stopped() {}
        };

        /**
         * Prepares the directory before the daemons start. After a failure {@link #stopped} is called.
         *
         * @return more overrides, also of one daemon: {@code dn3.key=value}
         */
        List<String> before(Path directory, ClusterPlan plan) throws IOException;

        /** Before the daemons are stopped, from any thread, also when the process is terminated. */
        void stopping();

        /** After they have ended, before the directory is removed. */
        void stopped();
    }

    /** Starts one within surroundings of its own. */
    public static OwnCluster start(
            Optional<Path> chosen,
            ClusterPlan.Shape shape,
            LocalCluster.Mode mode,
            List<String> overrides,
            long neededBytes,
            Preparation preparation,
            Readiness.Progress progress)
            throws IOException {
        return start(
                chosen,
                shape,
                mode,
                neededBytes,
                (directory, plan) -> {
                    List<String> all = new ArrayList<>(preparation.before(directory, plan));
                    all.addAll(overrides);
                    return LocalCluster.start(directory, plan, mode, all, progress);
                },
                preparation);
    }

    private interface Start {
        LocalCluster in(Path directory, ClusterPlan plan) throws IOException;
    }

    private static OwnCluster start(
            Optional<Path> chosen, ClusterPlan.Shape shape, LocalCluster.Mode mode, long neededBytes, Start start)
            throws IOException {
        return start(chosen, shape, mode, neededBytes, start, Preparation.NONE);
    }

    private static OwnCluster start(
            Optional<Path> chosen,
            ClusterPlan.Shape shape,
            LocalCluster.Mode mode,
            long neededBytes,
            Start start,
            Preparation preparation)
            throws IOException {
        Path parent = chosen.orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
        Files.createDirectories(parent);
        requireSpace(parent, neededBytes);
        Path directory = Files.createTempDirectory(parent, "ecfs-bench-").toAbsolutePath();
        StartGuard guard = StartGuard.begin();
        try {
            return started(directory, shape, mode, start, preparation);
        } finally {
            guard.over(); // now nothing is left to remove
        }
    }

    private static OwnCluster started(
            Path directory, ClusterPlan.Shape shape, LocalCluster.Mode mode, Start start, Preparation preparation)
            throws IOException {
        try {
            LocalCluster cluster = start.in(directory, LocalCluster.plan(directory, shape));
            try {
                return new OwnCluster(directory, cluster, mode, preparation);
            } catch (IllegalStateException terminated) {
                cluster.close();
                throw terminated;
            }
        } catch (IOException | RuntimeException e) {
            preparation.stopped();
            DirectoryTree.delete(directory);
            throw e;
        }
    }

    @Override
    public String uri() {
        return cluster.uri();
    }

    @Override
    public String description() {
        ClusterPlan plan = cluster.plan();
        return plan.namenodes().size() + " namenodes, " + plan.datanodes().size() + " datanodes, "
                + (mode == LocalCluster.Mode.ONE_PROCESS
                        ? "in one process with the client"
                        : "one process each, and the client's");
    }

    @Override
    public Optional<Path> scratch(List<Daemon> daemons) {
        return Optional.of(directory);
    }

    @Override
    public Optional<OwnCluster> own() {
        return Optional.of(this);
    }

    /** Processes that the cluster and its client run in. */
    public int processes() {
        ClusterPlan plan = cluster.plan();
        return mode == LocalCluster.Mode.ONE_PROCESS
                ? 1
                : 1 + plan.namenodes().size() + plan.datanodes().size();
    }

    public ClusterPlan plan() {
        return cluster.plan();
    }

    /** Empty when the daemon's process has ended. */
    public Optional<ProcessHandle> process(String daemon) {
        return ProcessHandle.of(cluster.pidOf(daemon)).filter(ProcessHandle::isAlive);
    }

    /**
     * The process of a daemon that nothing has ended.
     *
     * @throws EcfsException {@code INTERNAL} with its last log lines when it has ended all the same
     */
    public ProcessHandle requireProcess(String daemon) throws IOException {
        Optional<ProcessHandle> process = process(daemon);
        if (process.isEmpty()) {
            throw new EcfsException(ErrorCode.INTERNAL, daemon + " ended by itself: " + cluster.lastWords(daemon));
        }
        return process.get();
    }

    /** @throws EcfsException {@code INTERNAL} when a daemon has ended that nothing ended, as {@link #requireProcess} */
    public void requireAllRun() throws IOException {
        for (String daemon : plan().ids().toList()) {
            requireProcess(daemon);
        }
    }

    /** Retains the directory after the end of the cluster, for analysis. */
    public Path keep() {
        retained = true;
        return directory;
    }

    /** Stops a datanode orderly; a no-op for one that does not run. */
    public void stop(String datanode) {
        cluster.stopDaemon(datanode);
    }

    /** Ends a daemon without a goodbye, as a power cut does; in one process with others it can only be stopped. */
    public void kill(String daemon) {
        if (mode == LocalCluster.Mode.PROCESS_EACH) {
            process(daemon).ifPresent(ProcessHandle::destroyForcibly);
        } else {
            stop(daemon);
        }
    }

    /** Starts daemons again and returns when the cluster is whole. */
    public void startAgain(List<String> daemons) throws IOException {
        for (String daemon : daemons) {
            start(daemon);
        }
        awaitReady();
    }

    /** Starts one daemon that has ended; returns when it was started, which is before it is ready. */
    public void start(String daemon) throws IOException {
        cluster.startDaemon(daemon);
    }

    /** Returns when every daemon serves. */
    public void awaitReady() throws IOException {
        cluster.awaitReady();
    }

    /** Parent of the daemons' directories, configurations and logs. */
    public Path directory() {
        return directory;
    }

    /** Bytes of all chunk files, those of checksums and tail logs included. */
    public long diskBytes() throws IOException {
        return diskBytes(file -> true);
    }

    /** Those of {@link #diskBytes} that belong to groups which are still written. */
    public long writingBytes() throws IOException {
        return diskBytes(file -> file.getParent().getParent().endsWith(WRITING));
    }

    private long diskBytes(Predicate<Path> counted) throws IOException {
        AtomicLong bytes = new AtomicLong();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (CHUNK_FILES.stream().anyMatch(name::endsWith) && counted.test(file)) {
                    bytes.addAndGet(attributes.size());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException deletedMeanwhile) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path file, IOException deletedMeanwhile) {
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes.get();
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return; // the hook is what closes us
        }
    }

    private void end() {
        if (closed.getAndSet(true)) {
            return;
        }
        preparation.stopping();
        cluster.close();
        preparation.stopped();
        if (retained) {
            return;
        }
        try {
            DirectoryTree.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory + "; remove it by hand", e);
        }
    }

    private static void requireSpace(Path parent, long neededBytes) throws IOException {
        long free = Files.getFileStore(parent).getUsableSpace();
        long needed = Math.addExact(neededBytes, RESERVE_BYTES);
        if (free < needed) {
            throw new EcfsException(
                    ErrorCode.NO_SPACE,
                    "the run needs about " + (needed >> 20) + " MiB in " + parent + ", " + (free >> 20)
                            + " MiB are free: choose a smaller --size or --number, fewer policies, or another --dir");
        }
    }
}

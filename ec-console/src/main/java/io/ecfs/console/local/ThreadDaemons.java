package io.ecfs.console.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.ConfigReader;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.daemon.NamenodeConfig;
import io.ecfs.namenode.daemon.NamenodeDaemon;
import io.ecfs.wire.WireLoops;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All daemons in this process, over one set of network threads. They still talk to each other over loopback, as if
 * apart.
 */
public final class ThreadDaemons implements Daemons {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadDaemons.class);

    private final ClusterPlan plan;
    private final Path directory;
    private final DaemonStart daemons;
    private final Environment environment = RealEnvironment.open();
    private final WireLoops loops = WireLoops.open("ecfs", Runtime.getRuntime().availableProcessors());
    private final GaloisKernel kernel = Kernels.best();

    @GuardedBy("this")
    private final Map<String, AutoCloseable> running = new LinkedHashMap<>();

    public ThreadDaemons(ClusterPlan plan, Path directory) {
        this(plan, directory, DatanodeDaemon::start);
    }

    ThreadDaemons(ClusterPlan plan, Path directory, DaemonStart daemons) {
        this.plan = plan;
        this.directory = directory;
        this.daemons = daemons;
    }

    @Override
    public void start() throws IOException {
        for (String id : plan.ids().toList()) {
            start(id);
        }
    }

    @Override
    public synchronized void start(String id) throws IOException {
        if (running.containsKey(id)) {
            throw new EcfsException(ErrorCode.ALREADY_EXISTS, id + " runs already");
        }
        ClusterToken.place(plan, directory, id);
        Path file = DaemonFiles.configuration(directory, id);
        Environment its = daemons.environment(id, environment);
        boolean namenode = plan.namenodes().stream().anyMatch(n -> n.id().equals(id));
        running.put(
                id,
                namenode
                        ? NamenodeDaemon.start(
                                its,
                                ConfigReader.read(NamenodeConfig.class, file, DaemonFiles.readOverrides(directory, id)),
                                failure -> stopFailed(id, failure))
                        : daemons.start(
                                ConfigReader.read(DatanodeConfig.class, file, DaemonFiles.readOverrides(directory, id)),
                                loops,
                                kernel,
                                its));
    }

    @Override
    public synchronized void stop(String id) {
        AutoCloseable daemon = running.remove(id);
        if (daemon != null) {
            close(id, daemon);
        }
    }

    /**
     * A daemon said that it cannot go on; it is stopped on a thread of its own, since it says so on one that stopping
     * waits for.
     */
    private void stopFailed(String id, Throwable failure) {
        LOG.error("event=daemon_failed id={} reason=\"{}\"", id, failure.getMessage(), failure);
        Thread stopper = new Thread(() -> stop(id), "stop-" + id);
        stopper.setDaemon(true);
        stopper.start();
    }

    /** A daemon that cannot start fails its start. */
    @Override
    public Optional<String> ended() {
        return Optional.empty();
    }

    @Override
    public long pidOf(String id) {
        return ProcessHandle.current().pid();
    }

    @Override
    public synchronized void close() {
        Deque<String> lastStartedFirst = new ArrayDeque<>();
        running.keySet().forEach(lastStartedFirst::push);
        lastStartedFirst.forEach(this::stop);
        loops.close();
    }

    private static void close(String id, AutoCloseable daemon) {
        try {
            daemon.close();
        } catch (Exception e) {
            LOG.error("event=daemon_close_failed id={}", id, e);
        }
    }
}

package io.ecfs.namenode.leader;

import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.rpc.Namenode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a cluster takes no writes when its leader stops, by the number of groups: three namenodes with Ratis and
 * RocksDB in one process, datanodes that report all the time.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xms3g", "-Xmx3g", "-XX:+UseSerialGC"})
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@State(Scope.Thread)
public class FailoverBenchmark {
    private static final int WARM_UP = 500;
    private static final CallerIdentity ROOT = new CallerIdentity("root", List.of());

    /** What became of the time between the last leader and the first write that the next one took. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Seen {
        /** From the new leader's first moment on. */
        public double leaderToWriteMillis;
        /** From the moment at which the last leader was stopped; an election is in it. */
        public double stopToWriteMillis;
    }

    @Param({"100000", "1000000"})
    public int groups;

    @Param("rs-3-2-1024k")
    public String policy;

    private FailoverCluster cluster;
    private long requests;

    @Setup
    public void open() throws Exception {
        cluster = new FailoverCluster(Policy.parse(policy), groups);
        cluster.awaitAllReady();
        for (int written = 0; written < WARM_UP; ) { // a namenode that has run for a while
            written += write() ? 1 : 0;
        }
    }

    @TearDown
    public void close() throws Exception {
        cluster.close();
    }

    @Benchmark
    public void failover(Seen seen) throws Exception {
        long stopped = System.nanoTime();
        CompletableFuture<?> stopping = CompletableFuture.runAsync(cluster.takeLeader()::close);
        while (!write()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        long written = System.nanoTime();
        stopping.join();
        seen.stopToWriteMillis = (written - stopped) / 1e6;
        seen.leaderToWriteMillis = (written - cluster.ledSinceNanos()) / 1e6;
    }

    /** A client's create, sent to whom it believes to lead. */
    private boolean write() {
        NamespaceRequest create = new NamespaceRequest.Create(
                new RequestId("bench", ++requests),
                new FilePath("/after/" + requests),
                0644,
                false,
                true,
                Optional.empty());
        return cluster.running().values().stream().anyMatch(namenode -> takes(namenode, create));
    }

    private static boolean takes(Namenode namenode, NamespaceRequest write) {
        return namenode.namespace(ROOT, write)
                .handle((reply, refusal) -> refusal == null)
                .join();
    }
}

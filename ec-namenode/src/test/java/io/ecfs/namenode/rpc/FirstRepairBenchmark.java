package io.ecfs.namenode.rpc;

import io.ecfs.config.ConfigReader;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.Incident;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.store.rocks.RocksSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
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
 * How soon after a datanode was declared dead the first order to rebuild one of its chunks reaches a datanode, in a
 * namenode full of groups; and the live heap that the namenode takes then.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"})
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@State(Scope.Thread)
public class FirstRepairBenchmark {
    /** When the first order to rebuild arrived, and the live heap at that moment. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Seen {
        public double deadToFirstOrderMillis;
        public double heapMiB;
    }

    @Param("50000")
    public int groups;

    @Param("rs-6-3-1024k")
    public String policy;

    private LoadedNamenode namenode;

    @Setup
    public void open() throws Exception {
        namenode = new LoadedNamenode(
                ConfigReader.with(
                        NamenodeSettings.defaults(Policy.parse(policy), "root"), List.of("recovery.grace=0s")),
                RocksSettings.DEFAULT,
                Policy::groupBytes);
        namenode.fill("groups", groups);
    }

    @TearDown
    public void close() throws IOException {
        namenode.close();
    }

    @Benchmark
    public void firstRepair(Seen seen) throws Exception {
        DatanodeId dead = namenode.silence();
        while (namenode.beat().stream().noneMatch(DatanodeOrder.Rebuild.class::isInstance)) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        long now = System.currentTimeMillis();
        Incident incident = ((NamespaceReply.Incidents) namenode.ask(new NamespaceRequest.ListIncidents(0, 100)))
                .incidents().stream()
                        .filter(i -> i.cause().datanode().equals(Optional.of(dead)))
                        .findFirst()
                        .orElseThrow();
        seen.deadToFirstOrderMillis = now - incident.deadMillis();
        seen.heapMiB = LoadedNamenode.liveHeapBytes() / (double) (1 << 20);
    }
}

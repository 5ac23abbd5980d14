package io.ecfs.bench.soak;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.Crew;
import io.ecfs.bench.meter.Daemon;
import io.ecfs.bench.meter.MemoryWatch;
import io.ecfs.bench.target.OwnCluster;
import io.ecfs.bench.target.Target;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.Await;
import io.ecfs.console.view.Poller;
import io.ecfs.console.view.TextTable;
import io.ecfs.message.FilePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Mixed load on a cluster with little memory while its daemons are killed and stopped, then every byte read back, and
 * the question whether anybody took more memory than configured or did not give it back.
 */
public final class Soak {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    /**
     * The leader keeps one question of each datanode open ({@code AwaitOrders}), and beats of its heart come in
     * between.
     */
    private static final long OPEN_QUESTION_BYTES = 256;

    private static final Duration QUIET_PATIENCE = Duration.ofSeconds(60);

    private final SoakPlan plan;
    private final OwnCluster cluster;
    private final Consumer<String> doing;

    /** @param doing told what happens now */
    public Soak(SoakPlan plan, OwnCluster cluster, Consumer<String> doing) {
        this.plan = plan;
        this.cluster = cluster;
        this.doing = doing;
    }

    /**
     * @param counts what was done, by name
     * @param memory who took how much
     * @param failures a few of the calls that failed, which under faults may be
     * @param problems what must not be
     */
    public record Outcome(
            Map<String, Long> counts, List<SoakMemory> memory, List<String> failures, List<String> problems) {
        public Outcome {
            counts = new LinkedHashMap<>(counts);
            memory = List.copyOf(memory);
            failures = List.copyOf(failures);
            problems = List.copyOf(problems);
        }
    }

    /**
     * Runs the whole of it. A cluster that does not come back after a fault is an exception, and so is a daemon that
     * ends by itself.
     */
    public Outcome run() throws Exception {
        try (EcfsClient client =
                EcfsClient.connect(ClusterUri.parse(cluster.uri()), plan.client(), Identity.ofThisProcess())) {
            List<Daemon> daemons = Target.daemons(client);
            try (MemoryWatch memory = new MemoryWatch(daemons);
                    Crew crew = new Crew()) {
                return run(client, memory, crew);
            }
        }
    }

    private Outcome run(EcfsClient client, MemoryWatch memory, Crew crew) throws Exception {
        BenchFiles files = new BenchFiles(client, new Content(1), false);
        List<SoakLoad> loads = IntStream.range(0, plan.threads())
                .mapToObj(thread -> new SoakLoad(client, files, new FilePath("/soak"), thread, plan.seed()))
                .toList();
        SoakFaults faults = new SoakFaults(cluster, client, memory, plan.calm(), plan.seed(), doing);
        Poller poller = Poller.every(POLL_INTERVAL);
        BooleanSupplier goOn = () -> !poller.passed(plan.length());
        crew.run(plan.threads() + 1, thread -> {
            if (thread == plan.threads()) {
                faults.run(goOn);
            } else {
                loads.get(thread).run(goOn);
            }
        });
        cluster.requireAllRun();
        long failedBefore =
                loads.stream().mapToLong(load -> load.counts().failed).sum();
        doing.accept("reading everything back");
        crew.run(plan.threads(), thread -> loads.get(thread).readBack());
        long failedAfter =
                loads.stream().mapToLong(load -> load.counts().failed).sum();

        List<String> problems = new ArrayList<>();
        if (failedAfter > failedBefore) {
            problems.add((failedAfter - failedBefore) + " files could not be read back, or not as they were written");
        }
        loads.forEach(load -> problems.addAll(load.counts().wrong));
        doing.accept("waiting until nothing is held");
        problems.addAll(held(client, memory));
        memory.look();
        List<SoakMemory> processes = memory.worst().entrySet().stream()
                .map(process -> SoakMemory.of(process.getKey(), process.getValue(), nativeBytes(process.getKey())))
                .toList();
        processes.forEach(process -> problems.addAll(process.problems()));
        Await.result(client.delete(new FilePath("/soak"), true));
        List<String> failures =
                loads.stream().flatMap(load -> load.counts().failures.stream()).toList();
        return new Outcome(counts(loads, faults), processes, failures, problems);
    }

    private long nativeBytes(String process) {
        return isNamenode(process) ? SoakPlan.STORE_BYTES : 0;
    }

    private boolean isNamenode(String process) {
        return cluster.plan().namenodes().stream()
                .anyMatch(namenode -> namenode.id().equals(process));
    }

    /**
     * Waits until every buffer is back and no request is under way but those that always are; what is not by then is a
     * leak.
     */
    private List<String> held(EcfsClient client, MemoryWatch memory) throws InterruptedException {
        Poller poller = Poller.every(POLL_INTERVAL);
        List<String> held = heldNow(client, memory);
        while (!held.isEmpty() && !poller.passed(QUIET_PATIENCE)) {
            poller.pause();
            held = heldNow(client, memory);
        }
        return held;
    }

    private List<String> heldNow(EcfsClient client, MemoryWatch memory) {
        List<String> held = new ArrayList<>();
        if (client.loanedBuffers() != 0 || client.reservedBytes() != 0) {
            held.add("the client holds " + client.loanedBuffers() + " buffers and has " + client.reservedBytes()
                    + " bytes reserved at the end");
        }
        long ofNamenodes = 0;
        for (Map.Entry<String, Long> daemon : memory.heldBytes().entrySet()) {
            if (isNamenode(daemon.getKey())) {
                ofNamenodes += daemon.getValue();
            } else if (daemon.getValue() != 0) {
                held.add(daemon.getKey() + " holds " + daemon.getValue() + " bytes of buffers and requests at the end");
            }
        }
        if (ofNamenodes > OPEN_QUESTION_BYTES * cluster.plan().datanodes().size()) {
            held.add("the namenodes hold " + ofNamenodes + " bytes of buffers and requests at the end");
        }
        return held;
    }

    private static Map<String, Long> counts(List<SoakLoad> loads, SoakFaults faults) {
        Map<String, Long> counts = new LinkedHashMap<>();
        faults.done().forEach((fault, times) -> counts.put(TextTable.words(fault), (long) times));
        for (SoakLoad load : loads) {
            counts.merge("calls", load.counts().operations, Long::sum);
            counts.merge("calls that failed", load.counts().failed, Long::sum);
            counts.merge("bytes written", load.counts().writtenBytes, Long::sum);
            counts.merge("bytes read and compared", load.counts().comparedBytes, Long::sum);
        }
        return counts;
    }
}

package io.ecfs.bench.soak;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.Crew;
import io.ecfs.bench.meter.Daemon;
import io.ecfs.bench.meter.MemoryWatch;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.bench.system.Target;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.console.view.TextTable;
import io.ecfs.env.real.Poller;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Mixed load on a cluster with little memory while its daemons are killed and stopped; then every byte is read back,
 * and the memory of every process is checked against its limits and for leaks.
 */
public final class Soak {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    /**
     * The leader has one open long poll of each datanode ({@code AwaitOrders}), and heartbeats arrive in between.
     */
    private static final long LONG_POLL_BYTES = 256;

    private static final Duration QUIET_PATIENCE = Duration.ofSeconds(60);

    private final SoakPlan plan;
    private final OwnCluster cluster;
    private final Consumer<String> doing;

    /** @param doing notified of the current step */
    public Soak(SoakPlan plan, OwnCluster cluster, Consumer<String> doing) {
        this.plan = plan;
        this.cluster = cluster;
        this.doing = doing;
    }

    /**
     * @param counts of operations, by name
     * @param memory peaks of each process
     * @param failures a few of the failed calls, which are legal under faults
     * @param problems violations
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
     * Runs load, faults and checks. A cluster that does not recover from a fault is an exception, and so is a daemon
     * that ends by itself.
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
        doing.accept("waiting until all buffers are released");
        problems.addAll(leaks(client, memory));
        memory.poll();
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
     * Waits until every buffer is released and no request is in progress but long polls; the rest after the timeout is
     * a leak.
     */
    private List<String> leaks(EcfsClient client, MemoryWatch memory) throws InterruptedException {
        Poller poller = Poller.every(POLL_INTERVAL);
        List<String> leaks = unreleased(client, memory);
        while (!leaks.isEmpty() && !poller.passed(QUIET_PATIENCE)) {
            poller.pause();
            leaks = unreleased(client, memory);
        }
        return leaks;
    }

    private List<String> unreleased(EcfsClient client, MemoryWatch memory) {
        List<String> leaks = new ArrayList<>();
        if (client.loanedBuffers() != 0 || client.reservedBytes() != 0) {
            leaks.add("the client has " + client.loanedBuffers() + " buffers and " + client.reservedBytes()
                    + " reserved bytes at the end");
        }
        long ofNamenodes = 0;
        for (Map.Entry<String, Long> daemon : memory.requestBytes().entrySet()) {
            if (isNamenode(daemon.getKey())) {
                ofNamenodes += daemon.getValue();
            } else if (daemon.getValue() != 0) {
                leaks.add(daemon.getKey() + " has " + daemon.getValue() + " bytes of buffers and requests at the end");
            }
        }
        if (ofNamenodes > LONG_POLL_BYTES * cluster.plan().datanodes().size()) {
            leaks.add("the namenodes have " + ofNamenodes + " bytes of buffers and requests at the end");
        }
        return leaks;
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

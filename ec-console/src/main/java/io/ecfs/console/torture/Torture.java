package io.ecfs.console.torture;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.console.bench.OwnCluster;
import io.ecfs.console.torture.check.HistoryCheck;
import io.ecfs.console.torture.fault.FaultDriver;
import io.ecfs.console.torture.fault.FaultLog;
import io.ecfs.console.torture.history.Call;
import io.ecfs.console.torture.history.CallJournal;
import io.ecfs.console.torture.history.HistoryFile;
import io.ecfs.console.torture.history.KnossosHistory;
import io.ecfs.env.Clock;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One torture of one cluster, from the first call to the verdict. */
public final class Torture {
    private static final String ROOT = "/torture";

    private final TorturePlan plan;
    private final OwnCluster cluster;
    private final Path history;
    private final Consumer<String> watcher;
    private final Clock clock = RealEnvironment.open().clock();

    /**
     * @param history file that the history is written to; its EDN goes beside it
     * @param watcher receives what happens
     */
    public Torture(TorturePlan plan, OwnCluster cluster, Path history, Consumer<String> watcher) {
        this.plan = plan;
        this.cluster = cluster;
        this.history = history;
        this.watcher = watcher;
    }

    /**
     * @param counts calls by their names and results
     * @param faults how often each was done
     * @param problems what must not be; empty when all is well
     */
    public record Outcome(
            Map<String, Integer> counts,
            Map<String, Integer> faults,
            HistoryCheck.Result check,
            List<String> problems) {
        public Outcome {
            counts = new TreeMap<>(counts);
            faults = new TreeMap<>(faults);
            problems = List.copyOf(problems);
        }

        public boolean well() {
            return problems.isEmpty() && check.impossible().isEmpty();
        }
    }

    /** Runs all of it. What the cluster does wrong is in the outcome, unless the run cannot go on: then it is an exception. */
    public Outcome run() throws IOException, InterruptedException {
        Path directory = cluster.directory().resolve("torture");
        long begin = clock.nanos();
        try (EcfsClient client = EcfsClient.connect(cluster.uri());
                ClientProcesses clients = new ClientProcesses(plan, cluster.uri(), directory, begin)) {
            Await.result(client.mkdirs(new FilePath(ROOT), 0755, true));
            for (String id : clients.ids()) {
                clients.start(id);
            }
            ProcessSite site = new ProcessSite(cluster, client, clients);
            Settling settling =
                    new Settling(InstantSource.system(), client, plan.policy().chunks());
            Map<String, Integer> faults = hurt(site, settling, begin);
            watcher.accept("waiting for the clients' last calls");
            clients.awaitEnd();
            site.requireAllRun();
            return judge(client, site, settling, clients.journals(), faults);
        }
    }

    private Map<String, Integer> hurt(ProcessSite site, Settling settling, long begin)
            throws IOException, InterruptedException {
        BooleanSupplier goOn = () -> clock.nanos() - begin < plan.length().toNanos();
        try (FaultLog log = new FaultLog(
                InstantSource.system(), cluster.directory().resolve("logs").resolve("faults.log"), watcher)) {
            SplittableRandom random = new SplittableRandom(plan.seed());
            new FaultDriver(site, plan.losses(), plan.faults(), random, log, settling::awaitWhole).run(goOn);
            return log.counts();
        }
    }

    private Outcome judge(
            EcfsClient client, ProcessSite site, Settling settling, Path journals, Map<String, Integer> faults)
            throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        watcher.accept("waiting until all is healed");
        settling.leftOver().forEach(left -> problems.add("left over: " + left));
        watcher.accept("reading everything");
        List<Call> calls = HistoryFile.merge(journals);
        try (CallJournal journal = CallJournal.create(clock, journals.resolve("final.jsonl"))) {
            FinalReading reading = new FinalReading(client, journal, new SplittableRandom(plan.seed()));
            problems.addAll(reading.run(calls, site, plan.away(), settling::awaitWhole));
        }
        requireWrites(client);
        List<Call> all = HistoryFile.merge(journals);
        HistoryFile.write(history, all);
        KnossosHistory.write(history.resolveSibling(history.getFileName() + ".edn"), all);
        watcher.accept("checking " + all.size() + " calls");
        return new Outcome(counts(all), faults, HistoryCheck.check(all, HistoryCheck.CONFIGURATIONS), problems);
    }

    /** A file can be written in the healed cluster. */
    private static void requireWrites(EcfsClient client) throws IOException {
        FilePath proof = new FilePath(ROOT + "/afterwards");
        Await.result(client.create(proof, CreateOptions.defaults())).close();
        Await.result(client.delete(proof, false));
    }

    private static Map<String, Integer> counts(List<Call> calls) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Call call : calls) {
            counts.merge(call.operation().call() + " " + call.answer().result(), 1, Integer::sum);
        }
        return counts;
    }
}

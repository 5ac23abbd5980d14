package io.ecfs.torture;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.env.Clock;
import io.ecfs.message.FilePath;
import io.ecfs.torture.check.HistoryCheck;
import io.ecfs.torture.fault.driver.FaultDriver;
import io.ecfs.torture.fault.driver.FaultLog;
import io.ecfs.torture.fault.request.CallStorm;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.CallJournal;
import io.ecfs.torture.history.HistoryFile;
import io.ecfs.torture.history.KnossosHistory;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
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
    private final TortureCluster cluster;
    private final Path history;
    private final Consumer<String> watcher;
    private final Clock clock;

    /**
     * @param history file that the history is written to; its EDN goes beside it
     * @param watcher receives what happens
     */
    public Torture(TorturePlan plan, TortureCluster cluster, Clock clock, Path history, Consumer<String> watcher) {
        this.plan = plan;
        this.cluster = cluster;
        this.clock = clock;
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

        public Judgement judgement() {
            if (!problems.isEmpty() || !check.impossible().isEmpty()) {
                return Judgement.FAILED;
            }
            return check.parts() > 0 && check.undecided().isEmpty() ? Judgement.WELL : Judgement.UNDECIDED;
        }
    }

    /** Verdict of a run. As in Jepsen, undecided is neither valid nor invalid. */
    public enum Judgement {
        /** One order explains all answers of every part, and nothing is wrong beside that. */
        WELL,
        /** Nothing is wrong as far as could be decided, and not everything could. */
        UNDECIDED,
        FAILED
    }

    /**
     * Runs all of it. What the cluster does wrong is in the outcome, unless the run cannot go on: then it is an
     * exception.
     */
    public Outcome run() throws IOException, InterruptedException {
        long begin = clock.nanos();
        Path file = cluster.own().directory().resolve("logs").resolve("faults.log");
        Files.createDirectories(file.getParent());
        try (FaultLog log = new FaultLog(InstantSource.system(), file, watcher);
                EcfsClient client = observer(cluster.own().uri());
                Clients clients = cluster.clients()) {
            for (String directory : List.of(ROOT, CallStorm.PLACE)) {
                Await.result(client.mkdirs(new FilePath(directory), 0755, true));
            }
            for (String id : clients.ids()) {
                clients.start(id);
            }
            Settling settling =
                    new Settling(InstantSource.system(), client, plan.policy().chunks(), log::note);
            ClusterSite site = cluster.site(client, clients, settling);
            hurt(site, begin, log);
            watcher.accept("waiting for the clients' last calls");
            clients.awaitEnd();
            site.requireAllRun();
            return judge(client, site, settling, clients.journals(), log.counts());
        }
    }

    /** A client that reads over the network alone: a chunk whose file it had open would outlive its datanode. */
    public static EcfsClient observer(String uri) throws IOException {
        return EcfsClient.connect(
                ClusterUri.parse(uri), ClientConfig.defaults().with("local.on=false"), Identity.ofThisProcess());
    }

    private void hurt(ClusterSite site, long begin, FaultLog log) throws IOException, InterruptedException {
        BooleanSupplier goOn = () -> clock.nanos() - begin < plan.length().toNanos();
        SplittableRandom random = new SplittableRandom(plan.seed());
        new FaultDriver(site, plan.losses(), plan.faults(), random, log).run(goOn);
    }

    private Outcome judge(
            EcfsClient client, ClusterSite site, Settling settling, Path journals, Map<String, Integer> faults)
            throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        watcher.accept("waiting until all is healed");
        settling.leftOver().forEach(left -> problems.add("left over: " + left));
        List<Call> calls = HistoryFile.merge(journals);
        try (CallJournal journal = CallJournal.create(clock, journals.resolve("final.jsonl"))) {
            FinalCheck reading = new FinalCheck(
                    client, ROOT, journal, new SplittableRandom(plan.seed()), settling.mayLose(), watcher);
            reading.run(calls, site, plan.away());
            problems.addAll(audit(client, reading));
            // The audit read every chunk, so no corruption is undetected: as many may be away as the policy
            // survives.
            site.awaitWhole();
            reading.without(site, plan.losses());
            problems.addAll(reading.sightings().problems());
        }
        problems.addAll(new WriteProof(client, new FilePath(ROOT + "/afterwards"), plan.policy()).run());
        Divergences.of(client).forEach(one -> problems.add("namenodes have different facts: " + one));
        if (client.loanedBuffers() > 0 || client.reservedBytes() > 0) {
            problems.add("the idle client still has " + client.loanedBuffers() + " buffers and "
                    + client.reservedBytes() + " reserved bytes");
        }
        List<Call> all = HistoryFile.merge(journals);
        HistoryFile.write(history, all);
        KnossosHistory.write(history.resolveSibling(history.getFileName() + ".edn"), all);
        watcher.accept("checking " + all.size() + " calls");
        return new Outcome(counts(all), faults, HistoryCheck.check(all, HistoryCheck.CONFIGURATIONS), problems);
    }

    private List<String> audit(EcfsClient client, FinalCheck reading) throws IOException, InterruptedException {
        List<String> lost = List.copyOf(reading.sightings().lost());
        List<String> paths = new ArrayList<>(reading.paths());
        paths.removeAll(lost);
        try (ClientWire wire = ClientWire.open()) {
            ChunkAudit audit = new ChunkAudit(client, wire.caller());
            List<String> problems = new ArrayList<>(audit.run(paths));
            watcher.accept("encoded " + audit.groups() + " groups again");
            problems.addAll(audit.orphanGroups(paths, lost, Settling.END));
            return problems;
        }
    }

    private static Map<String, Integer> counts(List<Call> calls) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Call call : calls) {
            counts.merge(call.operation().call() + " " + call.answer().result(), 1, Integer::sum);
        }
        return counts;
    }
}

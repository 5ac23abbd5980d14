package io.ecfs.console.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.torture.check.NamedPaths;
import io.ecfs.console.torture.fault.Site;
import io.ecfs.console.torture.history.Answer;
import io.ecfs.console.torture.history.Call;
import io.ecfs.console.torture.history.CallJournal;
import io.ecfs.console.torture.load.ObservingThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Reads every path that a history names when all has settled, and again with m datanodes away. What it sees becomes a part of the history, so
 * that the check compares it with what was acknowledged; only what could not be seen is a problem here.
 */
final class FinalReading {
    /** Sets of m datanodes, drawn by chance, that are taken away one after the other. */
    private static final int MOST_SETS = 3;

    private final EcfsClient client;
    private final CallJournal journal;
    private final SplittableRandom random;
    private final boolean mayLose;
    private final Set<String> lost = new TreeSet<>();

    /** @param mayLose whether the power of several machines was lost: then the check judges what cannot be read */
    FinalReading(EcfsClient client, CallJournal journal, SplittableRandom random, boolean mayLose) {
        this.client = client;
        this.journal = journal;
        this.random = random;
        this.mayLose = mayLose;
    }

    /** Files that cannot be read, if that may be. */
    Set<String> lost() {
        return lost;
    }

    /** @return what could not be read */
    List<String> run(List<Call> history, Site site, int losses, FaultsOver over)
            throws IOException, InterruptedException {
        List<String> paths = NamedPaths.of(history);
        ObservingThread thread = new ObservingThread(client, journal, random);
        List<String> problems = new ArrayList<>(look(thread, paths, "with all datanodes"));
        for (List<String> away : someSets(site.datanodes(), losses)) {
            for (String datanode : away) {
                site.kill(datanode);
            }
            problems.addAll(look(thread, paths, "without " + String.join(" and ", away)));
            for (String datanode : away) {
                site.start(datanode);
            }
            over.await();
        }
        return problems;
    }

    /** Returns when the cluster is whole. */
    interface FaultsOver {
        void await() throws IOException, InterruptedException;
    }

    private List<String> look(ObservingThread thread, List<String> paths, String when) throws IOException {
        List<String> problems = new ArrayList<>();
        for (String path : paths) {
            Answer status = thread.status(path);
            boolean file = status instanceof Answer.Seen seen && !seen.directory();
            Answer last = file ? thread.read(path) : status;
            if (status instanceof Answer.Seen seen && seen.open()) {
                problems.add(path + " is still open");
            }
            if (last instanceof Answer.Unknown unknown) {
                problems.add(path + " cannot be read " + when + ": " + unknown.reason());
            } else if (last instanceof Answer.Lost gone && !mayLose) {
                problems.add(path + " cannot be read " + when + ": " + gone.reason());
            } else if (last instanceof Answer.Lost) {
                lost.add(path);
            } else if (last instanceof Answer.Wrong wrong) {
                problems.add(path + " is wrong " + when + ": " + wrong.reason());
            }
        }
        return problems;
    }

    private List<List<String>> someSets(List<String> datanodes, int losses) {
        List<List<String>> sets = new ArrayList<>();
        for (int set = 0; set < MOST_SETS; set++) {
            List<String> left = new ArrayList<>(datanodes);
            List<String> away = new ArrayList<>();
            while (away.size() < losses) {
                away.add(left.remove(random.nextInt(left.size())));
            }
            sets.add(away);
        }
        return sets;
    }
}

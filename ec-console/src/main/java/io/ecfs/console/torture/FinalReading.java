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
import java.util.function.Consumer;

/**
 * Reads every path that a history names when all has settled, and again with datanodes away. What it sees becomes a part of the history, so
 * that the check compares it with what was acknowledged; only what could not be seen is a problem here.
 */
final class FinalReading {
    /** How often some datanodes are taken away, others each time. */
    private static final int SETS = 3;

    private final SplittableRandom random;
    private final boolean mayLose;
    private final Consumer<String> watcher;
    private final ObservingThread thread;
    private List<String> paths = List.of();
    private final Set<String> lost = new TreeSet<>();

    /**
     * @param mayLose whether the power of several machines was lost: then the check judges what cannot be read
     * @param watcher is told of each look
     */
    FinalReading(
            EcfsClient client,
            CallJournal journal,
            SplittableRandom random,
            boolean mayLose,
            Consumer<String> watcher) {
        this.random = random;
        this.mayLose = mayLose;
        this.watcher = watcher;
        this.thread = new ObservingThread(client, journal, random);
    }

    /** Files that cannot be read, if that may be. */
    Set<String> lost() {
        return lost;
    }

    /**
     * Reads with all datanodes, and then several times with {@code losses} of them away.
     *
     * @return what could not be read
     */
    List<String> run(List<Call> history, Site site, int losses, FaultsOver over)
            throws IOException, InterruptedException {
        paths = NamedPaths.of(history);
        List<String> problems = new ArrayList<>(look("with all datanodes"));
        for (int set = 0; losses > 0 && set < SETS; set++) {
            problems.addAll(without(site, losses, over));
        }
        return problems;
    }

    /** Reads the same once more with {@code losses} datanodes away that chance chooses. @return what could not be read */
    List<String> without(Site site, int losses, FaultsOver over) throws IOException, InterruptedException {
        List<String> away = some(site.datanodes(), losses);
        for (String datanode : away) {
            site.kill(datanode);
        }
        List<String> problems = look("without " + String.join(" and ", away));
        for (String datanode : away) {
            site.start(datanode);
        }
        over.await();
        return problems;
    }

    /** Returns when the cluster is whole. */
    interface FaultsOver {
        void await() throws IOException, InterruptedException;
    }

    private List<String> look(String when) throws IOException {
        watcher.accept("reading everything " + when);
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

    private List<String> some(List<String> datanodes, int count) {
        List<String> left = new ArrayList<>(datanodes);
        List<String> some = new ArrayList<>();
        while (some.size() < count) {
            some.add(left.remove(random.nextInt(left.size())));
        }
        return some;
    }
}

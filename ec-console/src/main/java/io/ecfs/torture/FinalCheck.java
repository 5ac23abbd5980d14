package io.ecfs.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.torture.check.NamedPaths;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.CallJournal;
import io.ecfs.torture.load.ObservingThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Reads every path of a history or of the namespace after everything has settled, and again with datanodes stopped. The
 * reads become a part of the history, so that its check compares them with the acknowledged writes; only failed reads
 * are problems here.
 */
final class FinalCheck {
    /** Number of sets of datanodes that are stopped in turn. */
    private static final int SETS = 3;

    private static final int LISTED_AT_ONCE = 1000;

    private final EcfsClient client;
    private final String root;
    private final SplittableRandom random;
    private final Sightings sightings;
    private final Consumer<String> watcher;
    private final ObservingThread thread;
    private List<String> paths = List.of();

    /**
     * @param root directory of all paths
     * @param mayLose the power of several machines was lost: then the check of the history judges failed reads
     * @param watcher notified of each scan
     */
    FinalCheck(
            EcfsClient client,
            String root,
            CallJournal journal,
            SplittableRandom random,
            boolean mayLose,
            Consumer<String> watcher) {
        this.client = client;
        this.root = root;
        this.random = random;
        this.sightings = new Sightings(mayLose);
        this.watcher = watcher;
        this.thread = new ObservingThread(client, journal, random);
    }

    /** The paths that are read: those of calls and those of the namespace. */
    List<String> paths() {
        return paths;
    }

    /** Results of the reads until now. */
    Sightings sightings() {
        return sightings;
    }

    /** Reads with all datanodes, and then several times with {@code losses} of them away. */
    void run(List<Call> history, TortureSite site, int losses) throws IOException, InterruptedException {
        Set<String> all = new TreeSet<>(NamedPaths.of(history));
        all.addAll(PathsBelow.of(client, root, LISTED_AT_ONCE));
        paths = List.copyOf(all);
        scan("with all datanodes");
        for (int set = 0; losses > 0 && set < SETS; set++) {
            without(site, losses);
        }
    }

    /** Reads the same once more with {@code losses} random datanodes stopped. */
    void without(TortureSite site, int losses) throws IOException, InterruptedException {
        List<String> away = some(site.datanodes(), losses);
        for (String datanode : away) {
            site.kill(datanode);
        }
        scan("without " + String.join(" and ", away));
        for (String datanode : away) {
            site.start(datanode);
        }
        site.awaitWhole();
    }

    private void scan(String when) throws IOException {
        watcher.accept("reading everything " + when);
        for (String path : paths) {
            Answer status = thread.status(path);
            boolean file = status instanceof Answer.Seen seen && !seen.directory();
            if (status instanceof Answer.Seen seen && seen.open()) {
                sightings.open(path);
            }
            sightings.note(path, file ? thread.read(path) : status, when);
        }
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

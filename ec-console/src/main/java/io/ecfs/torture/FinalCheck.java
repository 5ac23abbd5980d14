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
 * Reads every path that a history names or that is there when all has settled, and again with datanodes away. What it
 * sees becomes a part of the history, so that the check compares it with what was acknowledged; only what could not be
 * seen is a problem here.
 */
final class FinalCheck {
    /** How often some datanodes are taken away, others each time. */
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
     * @param mayLose whether the power of several machines was lost: then the check judges what cannot be read
     * @param watcher is told of each look
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

    /** What it reads: the paths that calls name or that are there. */
    List<String> paths() {
        return paths;
    }

    /** What it saw until now. */
    Sightings sightings() {
        return sightings;
    }

    /** Reads with all datanodes, and then several times with {@code losses} of them away. */
    void run(List<Call> history, TortureSite site, int losses) throws IOException, InterruptedException {
        Set<String> all = new TreeSet<>(NamedPaths.of(history));
        all.addAll(PathsBelow.of(client, root, LISTED_AT_ONCE));
        paths = List.copyOf(all);
        look("with all datanodes");
        for (int set = 0; losses > 0 && set < SETS; set++) {
            without(site, losses);
        }
    }

    /** Reads the same once more with {@code losses} datanodes away that chance chooses. */
    void without(TortureSite site, int losses) throws IOException, InterruptedException {
        List<String> away = some(site.datanodes(), losses);
        for (String datanode : away) {
            site.kill(datanode);
        }
        look("without " + String.join(" and ", away));
        for (String datanode : away) {
            site.start(datanode);
        }
        site.awaitWhole();
    }

    private void look(String when) throws IOException {
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

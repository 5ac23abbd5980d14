package io.ecfs.torture;

import io.ecfs.torture.history.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges the results of successive scans of all paths after everything has settled. Data lost by a power failure was
 * lost before the first scan; a file that the first scan read and a scan with stopped datanodes cannot read has less
 * redundancy than it should have.
 */
final class Sightings {
    private final boolean mayLose;
    private final Set<String> lost = new TreeSet<>();
    private final Set<String> whole = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * @param mayLose the power of several machines was lost: then the check of the history judges what is lost
     *     at first
     */
    Sightings(boolean mayLose) {
        this.mayLose = mayLose;
    }

    /**
     * @param seen the answer of the namenode, or of the read when the path is a file
     * @param when of the scan, for messages
     */
    void note(String path, Answer seen, String when) {
        if (seen instanceof Answer.Unknown unknown) {
            problems.add(path + " cannot be read " + when + ": " + unknown.reason());
            return;
        }
        if (seen instanceof Answer.Wrong wrong) {
            problems.add(path + " is wrong " + when + ": " + wrong.reason());
            return;
        }
        if (seen instanceof Answer.Lost gone) {
            lost(path, gone, when);
            return;
        }
        whole.add(path);
    }

    private void lost(String path, Answer.Lost gone, String when) {
        if (!mayLose) {
            problems.add(path + " cannot be read " + when + ": " + gone.reason());
        } else if (whole.contains(path)) {
            problems.add(path + " could be read before and cannot be read " + when + ": " + gone.reason());
        } else {
            lost.add(path);
        }
    }

    void open(String path) {
        problems.add(path + " is still open");
    }

    /** Files that the first scan cannot read, where that is legal. */
    Set<String> lost() {
        return lost;
    }

    /** Violations of all scans. */
    List<String> problems() {
        return problems;
    }
}

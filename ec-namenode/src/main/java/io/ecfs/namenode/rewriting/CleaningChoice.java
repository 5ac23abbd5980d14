package io.ecfs.namenode.rewriting;

import io.ecfs.layout.GroupId;
import io.ecfs.namenode.settings.RewriteSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The packs that are cleaned: none while few of all their bytes are dead, since a pack from which more is deleted later
 * costs less; else those whose (1-u)/(1+u) x age is largest, u being the live share (Rosenblum and Ousterhout 1992,
 * section 3.6), until few are. A group with live share u costs u/(1-u) bytes copied for each byte that it frees. Gaps
 * that the files need between them in a new group are not dead: packs of tiny files would be cleaned again and again.
 */
final class CleaningChoice {
    /** Groups of one choice, at most. */
    private static final int MOST = 256;

    private final RewriteSettings settings;
    private final long last;
    private final TreeSet<Candidate> candidates = new TreeSet<>(Candidate.FIRST);
    private long bytes;
    private long dead;

    private record Candidate(GroupId group, double worth, long dead) {
        static final Comparator<Candidate> FIRST =
                Comparator.comparingDouble(Candidate::worth).reversed().thenComparing(Candidate::group);
    }

    /** @param last number of the last group that was allocated: the age of one is how many came after it */
    CleaningChoice(RewriteSettings settings, long last) {
        this.settings = settings;
        this.last = last;
    }

    /**
     * Considers a sealed pack of so many bytes.
     *
     * @param taken bytes that its files take in a new group
     */
    void add(GroupId group, long length, long taken) {
        long left = Math.min(taken, length); // files may refer to bytes that power took
        bytes += length;
        dead += length - left;
        if (pays(settings, length, left)) {
            double share = share(length, left);
            double age = 1 + last - group.value();
            candidates.add(new Candidate(group, (1 - share) / (1 + share) * age, length - left));
            if (candidates.size() > MOST) {
                candidates.pollLast();
            }
        }
    }

    /** Returns whether so little is left of a pack that it may be cleaned. */
    static boolean pays(RewriteSettings settings, long length, long taken) {
        return share(length, taken) < settings.cleanBelow();
    }

    private static double share(long length, long left) {
        return (double) left / Math.max(1, length);
    }

    /** The groups to clean, the most urgent first. */
    List<GroupId> chosen() {
        List<GroupId> chosen = new ArrayList<>();
        double excess = dead - settings.deadShare() * bytes;
        for (Candidate candidate : candidates) {
            if (excess <= 0) {
                break;
            }
            chosen.add(candidate.group());
            excess -= candidate.dead();
        }
        return chosen;
    }
}

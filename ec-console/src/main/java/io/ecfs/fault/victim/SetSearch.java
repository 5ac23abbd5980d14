package io.ecfs.fault.victim;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Sets of so many candidates: all where they are few, otherwise {@link #SAMPLES} that chance draws. So of many sets the
 * cheapest or dearest is that of a sample.
 */
final class SetSearch {
    static final int MOST = 20_000;
    static final int SAMPLES = 10_000;

    private final List<Candidate> candidates;
    private final int count;
    private final SplittableRandom random;

    SetSearch(List<Candidate> candidates, int count, SplittableRandom random) {
        this.candidates = candidates;
        this.count = count;
        this.random = random;
    }

    List<List<Candidate>> sets() {
        if (count > candidates.size()) {
            return List.of();
        }
        return binomial(candidates.size(), count) <= MOST ? all() : samples();
    }

    private List<List<Candidate>> all() {
        List<List<Candidate>> sets = new ArrayList<>();
        extend(new ArrayList<>(), 0, sets);
        return sets;
    }

    private void extend(List<Candidate> begun, int from, List<List<Candidate>> sets) {
        if (begun.size() == count) {
            sets.add(List.copyOf(begun));
            return;
        }
        for (int i = from; i <= candidates.size() - (count - begun.size()); i++) {
            begun.add(candidates.get(i));
            extend(begun, i + 1, sets);
            begun.remove(begun.size() - 1);
        }
    }

    private List<List<Candidate>> samples() {
        Set<List<Candidate>> sets = new LinkedHashSet<>();
        for (int draw = 0; draw < SAMPLES; draw++) {
            Set<Integer> chosen = new TreeSet<>();
            while (chosen.size() < count) {
                chosen.add(random.nextInt(candidates.size()));
            }
            sets.add(chosen.stream().map(candidates::get).toList());
        }
        return List.copyOf(sets);
    }

    /** Number of sets; {@link #MOST} + 1 when it is larger than that. */
    private static long binomial(int of, int choose) {
        long sets = 1;
        for (int i = 0; i < Math.min(choose, of - choose); i++) {
            sets = sets * (of - i) / (i + 1);
            if (sets > MOST) {
                return MOST + 1L;
            }
        }
        return sets;
    }
}

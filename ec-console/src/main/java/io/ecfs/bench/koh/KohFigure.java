package io.ecfs.bench.koh;

import java.util.List;
import java.util.Set;

/**
 * One figure of the paper, the figures of one mix, or ratios of ours alone.
 *
 * @param word as people write it: {@code fig7}, {@code db}
 * @param series to measure; empty when it is of mixes
 * @param mixes to run
 * @param sizes of requests; empty: those that are asked for
 * @param depths requests under way; empty: 256
 * @param states of the image; empty: when writing those that are asked for, when reading one that was written
 * @param goals its ratios, in order
 */
public record KohFigure(
        String word,
        String title,
        List<Series> series,
        List<Mix> mixes,
        List<Integer> sizes,
        List<Integer> depths,
        List<ImageState> states,
        List<KohGoal> goals) {
    private static final Set<String> OVER_TIME = Set.of("fig20", "fig46");

    public KohFigure {
        series = List.copyOf(series);
        mixes = List.copyOf(mixes);
        sizes = List.copyOf(sizes);
        depths = List.copyOf(depths);
        states = List.copyOf(states);
        goals = List.copyOf(goals);
    }

    /** True when its curves are over time. */
    public boolean isOverTime() {
        return OVER_TIME.contains(word);
    }

    boolean compares(Comparison comparison) {
        return goals.stream().anyMatch(goal -> goal.compared() == comparison);
    }
}

package io.ecfs.bench.koh;

import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The stages of some figures, validated by the constructor. Figures share stages that are equal; policies take turns
 * within what is otherwise the same.
 */
public record KohPlan(List<KohFigure> figures, KohOptions options) {
    /** Requests under way in all of the paper's measurements (section III-A). */
    static final int PAPER_DEPTH = 256;

    /** A file holds at least so many requests of each size. */
    static final int LEAST_REQUESTS = 64;

    /** Coding libraries that are compared: the second with the first. */
    public static final List<String> KERNELS = List.of("native", "isal");

    public KohPlan {
        figures = List.copyOf(figures);
        for (KohFigure figure : figures) {
            requirePolicies(figure, options.policies());
        }
        int largest = figures.stream()
                .mapToInt(figure -> largest(figure, options))
                .max()
                .orElseThrow(() -> new IllegalArgumentException("which figure? None is named"));
        if (options.fileBytes() < (long) LEAST_REQUESTS * largest) {
            throw new IllegalArgumentException("--size " + RequestSizes.text(options.fileBytes())
                    + " holds fewer than " + LEAST_REQUESTS + " requests of " + RequestSizes.text(largest)
                    + ": give --size " + RequestSizes.text((long) LEAST_REQUESTS * largest)
                    + " or more, or smaller --sizes");
        }
    }

    private static int largest(KohFigure figure, KohOptions options) {
        int ofMixes = figure.mixes().stream().mapToInt(Mix::mostBytes).max().orElse(0);
        List<Integer> sizes = figure.sizes().isEmpty() ? options.sizes() : figure.sizes();
        return figure.series().isEmpty()
                ? ofMixes
                : sizes.stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    private static void requirePolicies(KohFigure figure, List<Policy> policies) {
        long codes = policies.stream().filter(KohPlan::isCoded).count();
        if (codes == 0) {
            throw new IllegalArgumentException(
                    figure.word() + " measures a code: add one to --policies, such as" + " rs-6-3-64k");
        }
        if (figure.compares(Comparison.REPLICATION) && codes == policies.size()) {
            throw new IllegalArgumentException(
                    figure.word() + " compares with replication: add it to --policies, such" + " as replication-3-64k");
        }
        long widths = policies.stream()
                .filter(KohPlan::isCoded)
                .map(Policy::dataChunks)
                .distinct()
                .count();
        if (figure.compares(Comparison.CODES) && widths < 2) {
            throw new IllegalArgumentException(figure.word() + " compares two codes of different width: name both in"
                    + " --policies, such as rs-6-3-64k,rs-4-2-64k");
        }
    }

    private static boolean isCoded(Policy policy) {
        return policy.dataChunks() > 1;
    }

    /** All that is to be measured in one repetition, each once, in order. */
    public List<KohStage> stages() {
        Set<KohStage> stages = new LinkedHashSet<>();
        figures.forEach(figure -> stages.addAll(stages(figure)));
        return List.copyOf(stages);
    }

    /** What a figure needs of them. */
    public List<KohStage> stages(KohFigure figure) {
        List<KohStage> stages = new ArrayList<>();
        for (Series series : figure.series()) {
            for (int depth : depths(figure)) {
                for (int bytes : figure.sizes().isEmpty() ? options.sizes() : figure.sizes()) {
                    for (ImageState state : states(figure, series)) {
                        add(figure, series, bytes, depth, state, stages);
                    }
                }
            }
        }
        for (Mix mix : figure.mixes()) {
            for (int processes : mix.processes()) {
                for (Policy policy : options.policies()) {
                    stages.add(new KohStage.MixRun(policy, mix, processes));
                }
            }
        }
        return List.copyOf(stages);
    }

    private void add(KohFigure figure, Series series, int bytes, int depth, ImageState state, List<KohStage> stages) {
        boolean ofKernels = figure.compares(Comparison.KERNELS);
        boolean withCopies = figure.goals().stream()
                .anyMatch(goal -> goal.compared() == Comparison.REPLICATION || goal.compared() == Comparison.ALONE);
        for (Policy policy : options.policies()) {
            if (!withCopies && !isCoded(policy)) {
                continue;
            }
            if (ofKernels) {
                KERNELS.forEach(kernel ->
                        stages.add(new KohStage.Requests(policy, series, bytes, depth, state, Optional.of(kernel))));
            } else {
                stages.add(new KohStage.Requests(policy, series, bytes, depth, state, Optional.empty()));
            }
        }
    }

    private List<Integer> depths(KohFigure figure) {
        if (!options.depths().isEmpty()) {
            return options.depths();
        }
        return figure.depths().isEmpty() ? List.of(PAPER_DEPTH) : figure.depths();
    }

    private List<ImageState> states(KohFigure figure, Series series) {
        if (!figure.states().isEmpty()) {
            return figure.states();
        }
        return series.kind() == IoKind.READ ? List.of(ImageState.OVERWRITE) : options.states();
    }

    /** Of all stages and repetitions, without what is written before them. */
    public double seconds() {
        return stages().size() * options.seconds() * options.repetitions();
    }
}

package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.Comparison;
import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.KohFigure;
import io.ecfs.bench.koh.KohGoal;
import io.ecfs.bench.koh.KohPlan;
import io.ecfs.bench.koh.KohStage;
import io.ecfs.bench.koh.Quantity;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** Results of the stages of a plan, and the ratios of its figures. For one thread. */
public final class KohResults {
    /** Fewer bytes for each requested one count as none, in a quotient as so many. */
    static final double LEAST_BYTES = 1e-3;

    private final KohPlan plan;
    private final KohSetting setting;
    private final Map<KohStage, List<Outcome>> outcomes = new LinkedHashMap<>();
    private OptionalDouble heartbeats = OptionalDouble.empty();

    KohResults(KohPlan plan, KohSetting setting) {
        this.plan = plan;
        this.setting = setting;
    }

    void add(Outcome outcome) {
        outcomes.computeIfAbsent(outcome.stage(), stage -> new ArrayList<>()).add(outcome);
    }

    /** @param kilobytes that one idle datanode exchanges with others in a second */
    void idle(double kilobytes) {
        heartbeats = OptionalDouble.of(kilobytes);
    }

    /** The stages that were measured, in order. */
    List<KohStage> stages() {
        return List.copyOf(outcomes.keySet());
    }

    List<Outcome> outcomes(KohStage stage) {
        return outcomes.getOrDefault(stage, List.of());
    }

    /** Median of the repetitions. */
    OptionalDouble median(KohStage stage, Function<Outcome, Double> value) {
        double[] values = outcomes(stage).stream()
                .map(value)
                .filter(one -> one != null)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return values.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((values[(values.length - 1) / 2] + values[values.length / 2]) / 2);
    }

    OptionalDouble ours(KohStage stage, Quantity quantity) {
        return median(stage, outcome -> outcome.ours().get(quantity));
    }

    OptionalDouble rules(KohStage stage, Quantity quantity) {
        return median(stage, outcome -> outcome.rules().get(quantity));
    }

    /** The measured ratio of a goal; empty where nothing was measured, or under another condition. */
    OptionalDouble ours(KohFigure figure, KohGoal goal) {
        if (!goal.condition()
                .isMet(setting.updates().synced(), setting.updates().compacts())) {
            return OptionalDouble.empty();
        }
        return goal.quantity() == Quantity.HEARTBEATS ? heartbeats : ratio(figure, goal, this::ours);
    }

    /**
     * Ratio by the rules of Ceph for the same requests.
     *
     * @return empty for what they say nothing about, or give copies none of
     */
    OptionalDouble rules(KohFigure figure, KohGoal goal) {
        return ratio(figure, goal, (stage, quantity) -> {
            OptionalDouble value = rules(stage, quantity);
            boolean divides =
                    goal.compared() == Comparison.REPLICATION && !stage.policy().equals(of());
            return divides && value.orElse(0) < LEAST_BYTES ? OptionalDouble.empty() : value;
        });
    }

    private interface Values {
        OptionalDouble of(KohStage stage, Quantity quantity);
    }

    /** Geometric mean over all stages of the widest code that the goal is about. */
    private OptionalDouble ratio(KohFigure figure, KohGoal goal, Values values) {
        double[] ratios = plan.stages(figure).stream()
                .filter(stage -> stage.policy().equals(of()) && goal.isAbout(stage))
                .flatMapToDouble(stage -> ratio(stage, goal, values))
                .toArray();
        return ratios.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(mean(ratios));
    }

    /** Geometric, so that a ratio and its inverse give one; of what may be nothing at all, arithmetic. */
    private static double mean(double[] ratios) {
        return Arrays.stream(ratios).anyMatch(ratio -> ratio <= 0)
                ? Arrays.stream(ratios).average().orElseThrow()
                : Math.exp(Arrays.stream(ratios).map(Math::log).average().orElseThrow());
    }

    private DoubleStream ratio(KohStage stage, KohGoal goal, Values values) {
        OptionalDouble first = values.of(stage, goal.quantity());
        Optional<KohStage> other = other(stage, goal.compared());
        if (first.isEmpty() || (goal.compared() != Comparison.ALONE && other.isEmpty())) {
            return DoubleStream.empty();
        }
        if (goal.compared() == Comparison.ALONE) {
            double value = first.getAsDouble();
            return DoubleStream.of(isOfBytes(goal.quantity()) && value < LEAST_BYTES ? 0 : value);
        }
        OptionalDouble second = values.of(other.get(), goal.quantity());
        return second.isEmpty()
                ? DoubleStream.empty()
                : DoubleStream.of(goal.compared()
                        .ratio(
                                goal.quantity(),
                                least(goal.quantity(), first.getAsDouble()),
                                least(goal.quantity(), second.getAsDouble())));
    }

    private static boolean isOfBytes(Quantity quantity) {
        return quantity == Quantity.READ || quantity == Quantity.WRITTEN || quantity == Quantity.NETWORK;
    }

    private static double least(Quantity quantity, double value) {
        return isOfBytes(quantity) ? Math.max(LEAST_BYTES, value) : value;
    }

    /** The stage that one is compared with; empty where it is not one to be compared so. */
    private Optional<KohStage> other(KohStage stage, Comparison comparison) {
        return switch (comparison) {
            case ALONE -> Optional.empty();
            case REPLICATION -> copies().map(policy -> with(stage, policy));
            case CODES -> narrow().map(policy -> with(stage, policy));
            case STATES -> overwritten(stage, ImageState.PRISTINE);
            case PATCHED -> overwritten(stage, ImageState.PATCHED);
            case MERGED -> overwritten(stage, ImageState.MERGED);
            case KERNELS ->
                stage instanceof KohStage.Requests requests
                                && requests.kernel().equals(Optional.of(KohPlan.KERNELS.get(1)))
                        ? Optional.of(with(requests, KohPlan.KERNELS.get(0)))
                        : Optional.empty();
        };
    }

    /** The same with a file that is only written, for a stage of some other state. */
    private static Optional<KohStage> overwritten(KohStage stage, ImageState state) {
        return stage instanceof KohStage.Requests requests && requests.state() == state
                ? Optional.of(with(requests, ImageState.OVERWRITE))
                : Optional.empty();
    }

    private static KohStage with(KohStage stage, Policy policy) {
        if (stage instanceof KohStage.Requests one) {
            return new KohStage.Requests(policy, one.series(), one.bytes(), one.depth(), one.state(), one.kernel());
        }
        KohStage.MixRun run = (KohStage.MixRun) stage;
        return new KohStage.MixRun(policy, run.mix(), run.processes());
    }

    private static KohStage with(KohStage.Requests one, ImageState state) {
        return new KohStage.Requests(one.policy(), one.series(), one.bytes(), one.depth(), state, one.kernel());
    }

    private static KohStage with(KohStage.Requests one, String kernel) {
        return new KohStage.Requests(
                one.policy(), one.series(), one.bytes(), one.depth(), one.state(), Optional.of(kernel));
    }

    /** The code that figures are about: the widest. */
    Policy of() {
        return codes().stream().max(Comparator.comparingInt(Policy::dataChunks)).orElseThrow();
    }

    private Optional<Policy> narrow() {
        return codes().stream().min(Comparator.comparingInt(Policy::dataChunks)).filter(policy -> !policy.equals(of()));
    }

    private Optional<Policy> copies() {
        return plan.options().policies().stream()
                .filter(policy -> policy.dataChunks() == 1)
                .findFirst();
    }

    private List<Policy> codes() {
        return plan.options().policies().stream()
                .filter(policy -> policy.dataChunks() > 1)
                .toList();
    }

    /** The other side of a comparison, in a word; empty for none. */
    String to(Comparison comparison) {
        return switch (comparison) {
            case ALONE -> "";
            case REPLICATION -> copies().map(Policy::name).orElse("");
            case CODES -> narrow().map(Policy::name).orElse("");
            case STATES, PATCHED, MERGED -> ImageState.OVERWRITE.word();
            case KERNELS -> KohPlan.KERNELS.get(0);
        };
    }
}

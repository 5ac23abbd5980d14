package io.ecfs.advise;

import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Policy;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Ranks policies by the goals that they miss, then by space, then by the time of a recovery. Those that need more
 * datanodes than there are, for a group and a chunk rebuilt elsewhere, come last.
 */
public final class Advisor {
    /** To which stored bytes a byte are rounded: policies alike in them are ranked by the time of a recovery. */
    private static final double SPACE_STEP = 0.01;

    /** The same of seconds: those alike are ranked by what a repair reads, then by how near the usual cell is. */
    private static final double TIME_STEP = 0.1;

    private static final Comparator<Advice> BY_COST = Comparator.comparingLong(
                    (Advice one) -> Math.round(one.storedPerByte() / SPACE_STEP))
            .thenComparingLong(one -> Math.round(one.recoverySeconds().orElse(Double.MAX_VALUE) / TIME_STEP))
            .thenComparingDouble(Advice::readPerByte)
            .thenComparingInt(one -> Math.abs(one.cell() - Policy.DEFAULT_CELL_BYTES))
            .thenComparing(Advice::policy);

    private static final Comparator<Ranked> BY_GOALS = Comparator.comparing(Ranked::hasPlace)
            .reversed()
            .thenComparingInt(Ranked::missed)
            .thenComparing(Ranked::advice, BY_COST);

    private final List<FileSet> files;
    private final long packedUpTo;
    private final Machines machines;
    private final RecoveryModel model;
    private final Goals goals;
    private final ReadCosts reads;

    /**
     * @param files at least one set
     * @param packedUpTo length up to which files share groups, 0: none does
     * @param reads of all codes, shared by the advisors of a process
     */
    public Advisor(
            List<FileSet> files,
            long packedUpTo,
            Machines machines,
            RecoveryTuning tuning,
            Goals goals,
            ReadCosts reads) {
        if (files.isEmpty()) {
            throw new IllegalArgumentException("there is no advice without files: use --files 10000x64m");
        }
        this.files = List.copyOf(files);
        this.packedUpTo = packedUpTo;
        this.machines = machines;
        this.model = new RecoveryModel(tuning);
        this.goals = goals;
        this.reads = reads;
    }

    /** From the death of a datanode until the first byte of a source is read: the same for every policy. */
    public double waitSeconds() {
        return model.waitSeconds();
    }

    private record Ranked(Advice advice, int missed) {
        boolean hasPlace() {
            return advice.recoverySeconds().isPresent();
        }
    }

    /** The best one first. */
    public List<Advice> rank(List<Policy> policies) {
        return policies.stream()
                .map(policy -> judge(new Prospect(
                        policy, StoredFiles.of(policy, files, packedUpTo), reads.of(policy.code()), machines, model)))
                .sorted(BY_GOALS)
                .map(Ranked::advice)
                .toList();
    }

    /**
     * The best cell of each code.
     *
     * @param ranked the best one first
     * @param most codes
     */
    public static List<Advice> bestCells(List<Advice> ranked, int most) {
        Set<CodeSpec> codes = new HashSet<>();
        return ranked.stream()
                .filter(one -> codes.add(Policy.parse(one.policy()).code()))
                .limit(most)
                .toList();
    }

    private Ranked judge(Prospect prospect) {
        List<String> missed = goals.missed(prospect);
        Optional<RecoveryForecast> recovery = prospect.recovery();
        Advice advice = new Advice(
                prospect.policy().name(),
                prospect.policy().cellBytes(),
                prospect.stored().perByte(),
                prospect.policy().code().survivedLosses(),
                prospect.reading().perByte(),
                recovery.map(forecast -> OptionalDouble.of(forecast.seconds())).orElseGet(OptionalDouble::empty),
                recovery.map(RecoveryForecast::bottleneck),
                prospect.fewestDatanodes(goals.recoverySeconds()),
                missed.isEmpty() ? Advice.MEETS : String.join(", ", missed));
        return new Ranked(advice, missed.size());
    }
}

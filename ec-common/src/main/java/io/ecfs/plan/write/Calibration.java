package io.ecfs.plan.write;

import io.ecfs.layout.WriteSide;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Constants from measured writes: each part by itself, the least sum of squared relative errors over its samples, no
 * coefficient below 0. Terms of the network are no unknowns: what a known network takes is subtracted first, at the
 * factors of the constants that were there before. Parts without a sample stay as they were. Distribution by a master
 * that forwards by cell is linear along its {@link ForwardingPath} alone, so path and constants are found by turns.
 *
 * @param constants calibrated
 * @param worst the largest relative error of each calibrated part; of one that is less than a hundredth of its write,
 *     relative to that hundredth
 */
public record Calibration(WriteConstants constants, Map<WritePart, Double> worst) {
    /** Shorter parts weigh no more than one of this share of the write: their relative errors are noise. */
    private static final double LEAST_SHARE = 0.01;

    /** Of paths and constants: few, since a path is one of few cells. */
    private static final int MOST_TURNS = 20;

    /** @param before factors of the network, and the coefficients of parts that no sample has */
    public static Calibration of(List<WriteSample> samples, WriteConstants before) {
        WriteConstants constants = before;
        Map<WritePart, Double> worst = new EnumMap<>(WritePart.class);
        for (WritePart part : WritePart.values()) {
            List<WriteSample> measured = samples.stream()
                    .filter(sample -> sample.nanos().containsKey(part))
                    .filter(sample -> !part.ofMasterOnly() || sample.shape().side() == WriteSide.MASTER)
                    .toList();
            if (!measured.isEmpty()) {
                constants = fitted(part, measured, constants);
                worst.put(part, worst(part, measured, constants));
            }
        }
        return new Calibration(constants, worst);
    }

    private static WriteConstants fitted(WritePart part, List<WriteSample> samples, WriteConstants before) {
        Map<CostTerm, Double> known = new EnumMap<>(CostTerm.class);
        List<CostTerm> unknown = new ArrayList<>();
        for (CostTerm term : part.terms()) {
            if (term.given()) {
                known.put(term, before.coefficient(part, term));
            } else {
                unknown.add(term);
            }
        }
        WriteConstants constants = before;
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            WriteConstants next = constants.with(part, coefficients(part, samples, constants, known, unknown));
            if (next.text().equals(constants.text())) {
                return constants;
            }
            constants = next;
        }
        return constants;
    }

    /** @param constants that paths follow from */
    private static Map<CostTerm, Double> coefficients(
            WritePart part,
            List<WriteSample> samples,
            WriteConstants constants,
            Map<CostTerm, Double> known,
            List<CostTerm> unknown) {
        double[][] amounts = new double[samples.size()][unknown.size()];
        double[] times = new double[samples.size()];
        for (int row = 0; row < times.length; row++) {
            WriteSample sample = samples.get(row);
            double weight = 1 / weighed(part, sample);
            double predicted = new WriteCost(constants, sample.shape(), sample.network()).nanos(part);
            for (int column = 0; column < unknown.size(); column++) {
                double amount = amount(part, unknown.get(column), sample, constants);
                predicted -= amount == 0 ? 0 : amount * constants.coefficient(part, unknown.get(column));
                amounts[row][column] = weight * amount;
            }
            times[row] = weight * (sample.nanos().get(part) - predicted);
        }
        double[] solution = NonNegativeLeastSquares.solve(amounts, times);
        Map<CostTerm, Double> coefficients = new EnumMap<>(known);
        for (int column = 0; column < solution.length; column++) {
            coefficients.put(unknown.get(column), solution[column]);
        }
        return coefficients;
    }

    /** How much of a term is in the part of a sample, with these constants. */
    private static double amount(WritePart part, CostTerm term, WriteSample sample, WriteConstants constants) {
        WriteCost cost = new WriteCost(constants, sample.shape(), sample.network());
        double whole = term.of(sample.shape(), sample.network());
        boolean sending = term == CostTerm.MESSAGE || term == CostTerm.SENT_BYTE;
        if (part != WritePart.DISTRIBUTING || !sending || !cost.forwardsByCell()) {
            return whole;
        }
        WriteShape shape = sample.shape();
        ForwardingPath path = ForwardingPath.of(shape.dataChunks(), shape.parityChunks(), cost.forwardingTimes());
        return whole * path.sends() / shape.fanOut();
    }

    /** What an error of the part is relative to, in nanoseconds; not 0. */
    private static double weighed(WritePart part, WriteSample sample) {
        return Math.max(1, Math.max(sample.nanos().get(part), LEAST_SHARE * sample.total()));
    }

    private static double worst(WritePart part, List<WriteSample> samples, WriteConstants constants) {
        return samples.stream()
                .mapToDouble(sample -> {
                    double predicted = new WriteCost(constants, sample.shape(), sample.network()).nanos(part);
                    return Math.abs(predicted - sample.nanos().get(part)) / weighed(part, sample);
                })
                .max()
                .orElse(0);
    }
}

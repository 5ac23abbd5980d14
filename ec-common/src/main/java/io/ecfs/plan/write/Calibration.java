package io.ecfs.plan.write;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Constants from measured writes: each part by itself, the least sum of squared relative errors over its samples, no
 * coefficient below 0. Terms of the network are no unknowns: what a known network takes is subtracted first, at the
 * factors of the constants that were there before. Parts without a sample stay as they were.
 *
 * @param constants calibrated
 * @param worst the largest relative error of each calibrated part, among samples in which it is at least a hundredth of
 *     the write
 */
public record Calibration(WriteConstants constants, Map<WritePart, Double> worst) {
    /** Shorter parts weigh no more than one of this share of the write: their relative errors are noise. */
    private static final double LEAST_SHARE = 0.01;

    /** Of a part whose amounts depend on its own coefficients. */
    private static final int PASSES = 10;

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
                int passes = before.coefficient(part, CostTerm.FORWARDED) > 0 ? PASSES : 1;
                for (int pass = 0; pass < passes; pass++) {
                    constants = constants.with(part, coefficients(part, measured, before, constants));
                }
                worst.put(part, worst(part, measured, constants));
            }
        }
        return new Calibration(constants, worst);
    }

    private static Map<CostTerm, Double> coefficients(
            WritePart part, List<WriteSample> samples, WriteConstants before, WriteConstants latest) {
        Map<CostTerm, Double> coefficients = new EnumMap<>(CostTerm.class);
        List<CostTerm> unknown = new ArrayList<>();
        for (CostTerm term : part.terms()) {
            if (term.given()) {
                coefficients.put(term, before.coefficient(part, term));
            } else {
                unknown.add(term);
            }
        }
        double[][] amounts = new double[samples.size()][unknown.size()];
        double[] times = new double[samples.size()];
        for (int row = 0; row < times.length; row++) {
            WriteSample sample = samples.get(row);
            double weight = 1 / weighed(part, sample);
            Optional<Forwarding> forwarding = forwarding(part, sample, latest);
            double rest = sample.nanos().get(part)
                    + forwarding.map(Forwarding::earlyOnTheNetwork).orElse(0.0);
            for (Map.Entry<CostTerm, Double> known : coefficients.entrySet()) {
                rest -= known.getValue() == 0
                        ? 0
                        : known.getValue() * known.getKey().of(sample.shape(), sample.network());
            }
            times[row] = weight * rest;
            for (int column = 0; column < unknown.size(); column++) {
                CostTerm term = unknown.get(column);
                double counted = term == CostTerm.MESSAGE || term == CostTerm.SENT_BYTE
                        ? forwarding.map(Forwarding::lateSending).orElse(1.0)
                        : 1;
                amounts[row][column] = weight * counted * term.of(sample.shape(), sample.network());
            }
        }
        double[] solution = NonNegativeLeastSquares.solve(amounts, times);
        for (int column = 0; column < solution.length; column++) {
            coefficients.put(unknown.get(column), solution[column]);
        }
        return coefficients;
    }

    /** What a part does not count of a sample; it depends on what is calibrated. */
    private static Optional<Forwarding> forwarding(WritePart part, WriteSample sample, WriteConstants latest) {
        return part != WritePart.DISTRIBUTING || latest.coefficient(part, CostTerm.FORWARDED) == 0
                ? Optional.empty()
                : Optional.of(Forwarding.of(
                        new WriteCost(latest, sample.shape(), sample.network()),
                        sample.nanos().getOrDefault(WritePart.MANAGING, 0.0)
                                + sample.nanos().getOrDefault(WritePart.ENCODING, 0.0)));
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

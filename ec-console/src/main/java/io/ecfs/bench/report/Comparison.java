package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two sets of figures side by side: what both measured, and what only one did. */
public record Comparison(List<Row> rows, List<Summary> onlyFirst, List<Summary> onlySecond) {
    /** A change that is smaller than this is none, even when repetitions lie closer together. */
    private static final double LEAST_CHANGE = 0.02;

    public Comparison {
        rows = List.copyOf(rows);
        onlyFirst = List.copyOf(onlyFirst);
        onlySecond = List.copyOf(onlySecond);
    }

    public enum Verdict {
        BETTER,
        WORSE,
        /** The ranges of the repetitions touch, or the change is below two per cent. */
        WITHIN_NOISE,
        /** A rate that was measured once on one side, so that its spread is unknown. */
        MEASURED_ONCE
    }

    /** One measurement in both sets. */
    public record Row(Summary first, Summary second) {
        /** Second over first. */
        public double ratio() {
            return second.median() / first.median();
        }

        /** Second over first of a parameter. */
        public Optional<Double> ratio(String param) {
            return first.median(param).isPresent()
                            && second.median(param).isPresent()
                            && first.median(param).getAsDouble() != 0
                    ? Optional.of(second.median(param).getAsDouble()
                            / first.median(param).getAsDouble())
                    : Optional.empty();
        }

        public Verdict verdict() {
            boolean once = first.figures().size() == 1 || second.figures().size() == 1;
            if (once && Figure.moreIsBetter(first.key().unit())) {
                return Verdict.MEASURED_ONCE;
            }
            boolean apart = first.most() < second.least() || second.most() < first.least();
            if (!apart || Math.abs(ratio() - 1) < LEAST_CHANGE) {
                return Verdict.WITHIN_NOISE;
            }
            boolean more = second.median() > first.median();
            return more == Figure.moreIsBetter(first.key().unit()) ? Verdict.BETTER : Verdict.WORSE;
        }
    }

    public static Comparison of(List<Figure> first, List<Figure> second) {
        Map<FigureKey, Summary> others = new LinkedHashMap<>();
        Summary.of(second).forEach(summary -> others.put(summary.key(), summary));
        List<Row> rows = new ArrayList<>();
        List<Summary> alone = new ArrayList<>();
        for (Summary summary : Summary.of(first)) {
            Summary other = others.remove(summary.key());
            if (other == null) {
                alone.add(summary);
            } else {
                rows.add(new Row(summary, other));
            }
        }
        return new Comparison(rows, alone, List.copyOf(others.values()));
    }
}

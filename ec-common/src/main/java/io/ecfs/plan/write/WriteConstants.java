package io.ecfs.plan.write;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the terms of each part of a write cost on some hardware, and how the file system's master forwards. Coefficients
 * are 0 or more; one that is not given is 0. Client and master compute at the same cost.
 */
public final class WriteConstants {
    private static final String FORWARDING = "forwarding";

    private final Forwarding forwarding;
    private final Map<WritePart, Map<CostTerm, Double>> coefficients;

    /** @param coefficients nanoseconds or factors, see {@link CostTerm} */
    public WriteConstants(Forwarding forwarding, Map<WritePart, Map<CostTerm, Double>> coefficients) {
        Map<WritePart, Map<CostTerm, Double>> copy = new EnumMap<>(WritePart.class);
        coefficients.forEach((part, terms) -> {
            terms.forEach((term, value) -> require(part, term, value));
            copy.put(part, new EnumMap<>(CostTerm.class));
            copy.get(part).putAll(terms);
        });
        this.forwarding = forwarding;
        this.coefficients = copy;
    }

    /** A network without loss, and nothing else. */
    public static WriteConstants ofLinksAlone(Forwarding forwarding) {
        return new WriteConstants(
                forwarding,
                Map.of(
                        WritePart.TRANSFERRING,
                        Map.of(CostTerm.TO_MASTER, 1.0),
                        WritePart.DISTRIBUTING,
                        Map.of(CostTerm.WIRE, 1.0)));
    }

    private static void require(WritePart part, CostTerm term, double value) {
        if (!part.terms().contains(term)) {
            throw new IllegalArgumentException("no term " + word(term) + " in " + word(part) + "; it has "
                    + part.terms().stream().map(WriteConstants::word).collect(Collectors.joining(", ")));
        }
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "a cost is 0 or more, got " + value + " for " + word(term) + " of " + word(part));
        }
    }

    /**
     * Reads lines {@code part,term,coefficient}, and {@code forwarding,by_stripe} for a master that does not forward by
     * cell; {@code #} begins a comment.
     *
     * @throws IllegalArgumentException in one line with the number of the bad one
     */
    public static WriteConstants parse(String text) {
        Parsed parsed = new Parsed();
        CsvLines.read(text.lines().toList(), parsed::add);
        return new WriteConstants(parsed.forwarding, parsed.coefficients);
    }

    private static final class Parsed {
        private final Map<WritePart, Map<CostTerm, Double>> coefficients = new EnumMap<>(WritePart.class);
        private Forwarding forwarding = Forwarding.BY_CELL;

        void add(List<String> fields) {
            if (fields.size() == 2 && fields.get(0).equals(FORWARDING)) {
                forwarding = Forwarding.valueOf(fields.get(1).toUpperCase(Locale.ROOT));
                return;
            }
            CsvLines.requireFields(fields, "part,term,coefficient");
            WritePart part = WritePart.valueOf(fields.get(0).toUpperCase(Locale.ROOT));
            CostTerm term = CostTerm.valueOf(fields.get(1).toUpperCase(Locale.ROOT));
            double value = Double.parseDouble(fields.get(2));
            require(part, term, value);
            coefficients
                    .computeIfAbsent(part, p -> new EnumMap<>(CostTerm.class))
                    .put(term, value);
        }
    }

    /** The form that {@link #parse} reads. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(FORWARDING).append(',').append(word(forwarding)).append('\n');
        coefficients.forEach((part, terms) -> terms.forEach((term, value) -> {
            if (value != 0) {
                text.append(word(part))
                        .append(',')
                        .append(word(term))
                        .append(',')
                        .append(value)
                        .append('\n');
            }
        }));
        return text.toString();
    }

    /** The same with all coefficients of one part replaced. */
    public WriteConstants with(WritePart part, Map<CostTerm, Double> terms) {
        Map<WritePart, Map<CostTerm, Double>> changed = new EnumMap<>(WritePart.class);
        changed.putAll(coefficients);
        changed.put(part, terms);
        return new WriteConstants(forwarding, changed);
    }

    public Forwarding forwarding() {
        return forwarding;
    }

    double coefficient(WritePart part, CostTerm term) {
        return coefficients.getOrDefault(part, Map.of()).getOrDefault(term, 0.0);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

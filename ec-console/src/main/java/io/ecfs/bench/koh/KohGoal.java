package io.ecfs.bench.koh;

import io.ecfs.bench.report.Cells;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One ratio of a figure: the paper's, the limit, our target.
 *
 * @param series word of a series or a mix of the figure; empty: all of them
 * @param sizes of requests whose ratios are averaged geometrically; empty: all
 * @param depth empty: all
 * @param paper its RS(6,3); empty when it gives no such number
 * @param limit of any system that stores as much
 * @param least that our ratio must reach; empty: none
 * @param most that it must not pass; empty: none
 * @param section of the paper; may be empty
 * @param condition of our target
 * @param note its words; may be empty
 */
public record KohGoal(
        Quantity quantity,
        Comparison compared,
        String series,
        List<Integer> sizes,
        OptionalInt depth,
        OptionalDouble paper,
        OptionalDouble limit,
        OptionalDouble least,
        OptionalDouble most,
        String section,
        Condition condition,
        String note) {
    /** When a measurement counts. */
    public enum Condition {
        ALWAYS,
        /** Writes are on disk when they are acknowledged. */
        SYNCED,
        /** The space of overwritten bytes is not reclaimed. */
        UNCOMPACTED,
        /** It is. */
        COMPACTED;

        static Condition of(String word) {
            return word.isEmpty() ? ALWAYS : valueOf(word.toUpperCase(Locale.ROOT));
        }

        /** True for writes that are on disk when they are acknowledged, and space that is reclaimed, or not. */
        public boolean isMet(boolean synced, boolean compacted) {
            return switch (this) {
                case ALWAYS -> true;
                case SYNCED -> synced;
                case UNCOMPACTED -> !compacted;
                case COMPACTED -> compacted;
            };
        }

        String word() {
            return this == ALWAYS ? "" : name().toLowerCase(Locale.ROOT);
        }
    }

    public KohGoal {
        sizes = List.copyOf(sizes);
        if (least.isPresent() && most.isPresent() && least.getAsDouble() > most.getAsDouble()) {
            throw new IllegalArgumentException("a target from " + least.getAsDouble() + " to " + most.getAsDouble());
        }
    }

    /**
     * Our ratio beside the target.
     *
     * @param shortBy share of the bound that is missed; the ratio itself when the bound is 0; 0 when it is met
     */
    public record Judgement(boolean met, double shortBy) {
        private static final Judgement MET = new Judgement(true, 0);
    }

    /** True when its ratio is, among others, that of a stage. */
    public boolean isAbout(KohStage stage) {
        if (stage instanceof KohStage.Requests requests) {
            return (series.isEmpty() || series.equals(requests.series().word()))
                    && (sizes.isEmpty() || sizes.contains(requests.bytes()))
                    && (depth.isEmpty() || depth.getAsInt() == requests.depth());
        }
        return stage instanceof KohStage.MixRun run
                && (series.isEmpty() || series.equals(run.mix().word()));
    }

    public boolean hasTarget() {
        return least.isPresent() || most.isPresent();
    }

    /** @throws IllegalStateException without a target */
    public Judgement judge(double ratio) {
        if (!hasTarget()) {
            throw new IllegalStateException("no target for " + text());
        }
        if (Double.isNaN(ratio)) {
            throw new IllegalArgumentException("nothing was measured for " + text());
        }
        if (least.isPresent() && ratio < least.getAsDouble()) {
            return new Judgement(false, (least.getAsDouble() - ratio) / least.getAsDouble());
        }
        if (most.isPresent() && ratio > most.getAsDouble()) {
            double bound = most.getAsDouble();
            return new Judgement(false, bound == 0 ? ratio : (ratio - bound) / bound);
        }
        return Judgement.MET;
    }

    /** Which ratio, for people: {@code throughput, 4k/8k/16k, depth 256, of 3 copies}. */
    public String text() {
        StringBuilder text = new StringBuilder(quantity.word());
        if (!series.isEmpty()) {
            text.append(", ").append(series);
        }
        if (!sizes.isEmpty()) {
            text.append(", ")
                    .append(String.join(
                            "/", sizes.stream().map(RequestSizes::text).toList()));
        }
        depth.ifPresent(requests -> text.append(", depth ").append(requests));
        if (condition != Condition.ALWAYS) {
            text.append(", ").append(condition.word());
        }
        text.append(", ").append(compared.text());
        return text.toString();
    }

    /** What is known of it before it is measured, as parameters of a {@code koh_ratio}. */
    public Map<String, Object> params() {
        Map<String, Object> params = new LinkedHashMap<>();
        paper.ifPresent(value -> params.put("paper", value));
        limit.ifPresent(value -> params.put("limit", value));
        least.ifPresent(value -> params.put("least", value));
        most.ifPresent(value -> params.put("most", value));
        if (hasTarget()) {
            params.put("target", targetText());
        }
        return params;
    }

    /** {@code >= 1.50}, {@code 0.90 to 1.10}; empty without a target. */
    public String targetText() {
        if (least.isPresent() && most.isPresent()) {
            return number(least) + " to " + number(most);
        }
        if (least.isPresent()) {
            return ">= " + number(least);
        }
        return most.isPresent() ? "<= " + number(most) : "";
    }

    public static String number(OptionalDouble ratio) {
        int decimals = ratio.isPresent() && ratio.getAsDouble() < 1 ? 3 : 2;
        return Cells.number(ratio, decimals);
    }
}

package io.ecfs.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Identity of a measurement, common to its repetitions, in one system or in two.
 *
 * @param params as text, without those of the method and cost of the measurement
 */
public record FigureKey(String name, String unit, Map<String, String> params) {
    /** In the order people read them. */
    private static final List<String> TELLING = List.of(
            "policy",
            "config",
            "workload",
            "figure",
            "mix",
            "procs",
            "phase",
            "grace",
            "sets",
            "pattern",
            "op",
            "size",
            "depth",
            "state",
            "quantity",
            "of",
            "to",
            "bed",
            "show",
            "network",
            "record",
            "side",
            "step",
            "code",
            "kernel",
            "window",
            "k",
            "m",
            "block_bytes",
            "failed",
            "threads",
            "len",
            "stopped",
            "late_ms",
            "hedge",
            "jvms",
            "sync",
            "spare");

    /** The peer leaves these out of a line when they have their default. */
    private static final Map<String, Map<String, String>> DEFAULTS =
            Map.of("meta_", Map.of("threads", "16"), "small_", Map.of("threads", "8", "len", "102400"));

    public FigureKey {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unit, "unit");
        params = Map.copyOf(params);
    }

    public static FigureKey of(Figure figure) {
        Map<String, String> params = new TreeMap<>();
        DEFAULTS.forEach((prefix, defaults) -> {
            if (figure.name().startsWith(prefix)) {
                params.putAll(defaults);
            }
        });
        for (String name : TELLING) {
            Object value = figure.params().get(name);
            if (value != null) {
                params.put(name, value.toString());
            }
        }
        if (figure.name().startsWith("meta_")) {
            params.remove("policy"); // the files are empty, so nothing is coded
        }
        params.computeIfPresent("policy", (key, policy) -> canonicalPolicy(policy));
        params.remove("sync", "false");
        return new FigureKey(figure.name(), figure.unit(), params);
    }

    /** The key without the policy, under which policies lie side by side. */
    public FigureKey withoutPolicy() {
        Map<String, String> others = new TreeMap<>(params);
        others.remove("policy");
        return new FigureKey(name, unit, others);
    }

    /** Empty for figures that do not depend on it. */
    public String policy() {
        return params.getOrDefault("policy", "");
    }

    /** For people: {@code policy=rs-6-3-1024k threads=4}. */
    public String text() {
        return textWithout("");
    }

    /** The same without one of the parameters. */
    String textWithout(String left) {
        return TELLING.stream()
                .filter(name -> params.containsKey(name) && !name.equals(left))
                .map(name -> name + "=" + params.get(name))
                .collect(Collectors.joining(" "));
    }

    /** The peer writes {@code RS-6-3-1024k}, and calls whatever it does not code {@code REP3}. */
    private static String canonicalPolicy(String policy) {
        String lower = policy.toLowerCase(Locale.ROOT);
        return lower.startsWith("rep3") || lower.equals("replication") ? "replication-3" : lower;
    }
}

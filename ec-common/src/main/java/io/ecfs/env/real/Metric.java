package io.ecfs.env.real;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One number for monitoring, by Prometheus' rules for names: base units, {@code _total} for counters and for nothing
 * else, states as labels.
 *
 * @param name lower case with underscores, beginning with {@code ecfs_}; its unit last, before {@code _total}
 * @param value a counter's never falls while its process runs; that of a leader begins at 0 with its term
 * @param former its name and value in the release before
 */
public record Metric(
        Type type, String name, String help, Map<String, String> labels, double value, Optional<Former> former) {
    private static final String COUNTER_SUFFIX = "_total";
    /** Above, whole numbers are not exact. */
    private static final double MOST_EXACT = 1L << 53;

    /** Type of a metric. */
    public enum Type {
        GAUGE("gauge"),
        COUNTER("counter");

        private final String text;

        Type(String text) {
            this.text = text;
        }
    }

    /**
     * A name of the release before, typed gauge as all were; gone in the next release.
     *
     * @param labels of the old metric
     */
    public record Former(String name, Map<String, String> labels, double value) {
        public Former {
            Objects.requireNonNull(name, "name");
            labels = Map.copyOf(labels);
        }
    }

    public Metric {
        Objects.requireNonNull(help, "help");
        Objects.requireNonNull(former, "former");
        labels = Map.copyOf(labels);
        if (name.endsWith(COUNTER_SUFFIX) != (type == Type.COUNTER)) {
            throw new IllegalArgumentException("counters, and only they, end in _total: " + name + " is a " + type);
        }
    }

    /** A number that may fall. */
    public static Metric gauge(String name, String help, Map<String, String> labels, double value) {
        return new Metric(Type.GAUGE, name, help, labels, value, Optional.empty());
    }

    /** A sum over time. */
    public static Metric counter(String name, String help, Map<String, String> labels, double value) {
        return new Metric(Type.COUNTER, name, help, labels, value, Optional.empty());
    }

    /** A whole number that may fall; exact up to 2^53. */
    public static Metric gauge(String name, String help, Map<String, String> labels, long value) {
        return gauge(name, help, labels, (double) value);
    }

    /** A sum of whole numbers over time; exact up to 2^53. */
    public static Metric counter(String name, String help, Map<String, String> labels, long value) {
        return counter(name, help, labels, (double) value);
    }

    /** Also served under a name of the release before, with the same labels and value. */
    public Metric formerly(String old) {
        return formerly(old, labels, value);
    }

    /** Also served under a name of the release before. */
    public Metric formerly(String old, Map<String, String> itsLabels, double itsValue) {
        return new Metric(type, name, help, labels, value, Optional.of(new Former(old, itsLabels, itsValue)));
    }

    /** Also served under a name of the release before. */
    public Metric formerly(String old, Map<String, String> itsLabels, long itsValue) {
        return formerly(old, itsLabels, (double) itsValue);
    }

    /** These and another label. */
    public static Map<String, String> with(Map<String, String> labels, String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return more;
    }

    /**
     * Prometheus' text format 0.0.4, the samples of one name in a row.
     *
     * @param former whether names of the release before are included
     */
    public static String text(List<Metric> metrics, boolean former) {
        Map<String, StringBuilder> families = new LinkedHashMap<>();
        for (Metric metric : metrics) {
            families.computeIfAbsent(metric.name, name -> head(name, metric.help, metric.type))
                    .append(sample(metric.name, metric.labels, metric.value));
        }
        if (former) {
            for (Metric metric : metrics) {
                metric.former.ifPresent(old -> families.computeIfAbsent(
                                old.name, name -> head(name, "Deprecated: use " + metric.name, Type.GAUGE))
                        .append(sample(old.name, old.labels, old.value)));
            }
        }
        return String.join("", families.values());
    }

    private static StringBuilder head(String name, String help, Type type) {
        return new StringBuilder("# HELP " + name + " " + help + "\n# TYPE " + name + " " + type.text + "\n");
    }

    private static String sample(String name, Map<String, String> labels, double value) {
        return name + text(labels) + " " + text(value) + "\n";
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < MOST_EXACT
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String text(Map<String, String> labels) {
        return labels.isEmpty()
                ? ""
                : new TreeMap<>(labels)
                        .entrySet().stream()
                                .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + "\"")
                                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}

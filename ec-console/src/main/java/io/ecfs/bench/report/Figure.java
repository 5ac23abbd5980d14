package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * One measured value.
 *
 * @param name {@code write_seq}, {@code pread} …
 * @param unit {@code MB/s} (10^6 bytes), {@code ops/s}, {@code files/s}, {@code ratio} …
 * @param params what was done and what it cost, in order
 */
public record Figure(String name, double value, String unit, Map<String, Object> params) {
    public Figure {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unit, "unit");
        params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    }

    /** A parameter that is a number, or text that reads as one. */
    public OptionalDouble number(String param) {
        Object value = params.get(param);
        if (value instanceof Number number) {
            return OptionalDouble.of(number.doubleValue());
        }
        try {
            return value == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(value.toString()));
        } catch (NumberFormatException text) {
            return OptionalDouble.empty();
        }
    }

    /** A parameter that is a list of pairs of numbers; empty when it is not there, or something else. */
    List<double[]> points(String param) {
        List<double[]> points = new ArrayList<>();
        if (params.get(param) instanceof List<?> list) {
            for (Object one : list) {
                if (one instanceof List<?> point
                        && point.size() == 2
                        && point.get(0) instanceof Number x
                        && point.get(1) instanceof Number y) {
                    points.add(new double[] {x.doubleValue(), y.doubleValue()});
                }
            }
        }
        return points;
    }

    /** True when more is better; less is better for times and sizes. */
    public static boolean moreIsBetter(String unit) {
        return unit.endsWith("/s");
    }
}

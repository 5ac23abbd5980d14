package io.ecfs.bench.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers as tables show them: three digits that count. */
public final class Cells {
    private Cells() {}

    public static String number(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 || value == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** Empty for a number that there is not. */
    public static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "";
    }

    /** A ratio: {@code 1.23x}. */
    public static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2fx", value);
    }

    /** Percentiles of a latency with one unit: {@code 321/596 us}, {@code 1.4/12 ms}. */
    public static String latencies(OptionalDouble... microseconds) {
        StringBuilder text = new StringBuilder();
        boolean millis = false;
        for (OptionalDouble value : microseconds) {
            if (value.isEmpty()) {
                return "";
            }
            millis |= value.getAsDouble() >= 10_000;
        }
        for (OptionalDouble value : microseconds) {
            text.append(text.length() == 0 ? "" : "/").append(number(value.getAsDouble() / (millis ? 1000 : 1)));
        }
        return text.append(millis ? " ms" : " us").toString();
    }
}

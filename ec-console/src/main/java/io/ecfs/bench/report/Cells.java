package io.ecfs.bench.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Cells of tables. Numbers have three digits that count, unless decimals are named. */
public final class Cells {
    private Cells() {}

    public static String number(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 || value == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return number(value, decimals);
    }

    /** Empty for a number that there is not. */
    public static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "";
    }

    public static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** Empty for a number that there is not. */
    public static String number(OptionalDouble value, int decimals) {
        return value.isPresent() ? number(value.getAsDouble(), decimals) : "";
    }

    /** {@code 128 K}, rounded down. */
    public static String kibibytes(long bytes) {
        return bytes / 1024 + " K";
    }

    /** A target with its comparison, and whether it is reached: {@code >= 0.95: met}. */
    public static String target(String comparison, double target, int decimals, boolean met) {
        return comparison + " " + number(target, decimals) + (met ? ": met" : ": SHORT");
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

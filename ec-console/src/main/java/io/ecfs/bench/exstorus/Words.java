package io.ecfs.bench.exstorus;

import java.util.Locale;
import java.util.OptionalDouble;

/** Cells of the tables. */
public final class Words {
    private Words() {}

    public static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    public static String number(OptionalDouble value, int decimals) {
        return value.isPresent() ? number(value.getAsDouble(), decimals) : "";
    }

    /** {@code 128 K}. */
    public static String record(long bytes) {
        return bytes / 1024 + " K";
    }

    /** A target with its comparison, and whether it is reached. */
    public static String target(String comparison, double target, int decimals, boolean met) {
        return comparison + " " + number(target, decimals) + (met ? ": met" : ": SHORT");
    }
}

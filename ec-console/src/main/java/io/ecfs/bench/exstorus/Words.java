package io.ecfs.bench.exstorus;

import java.util.Locale;
import java.util.OptionalDouble;

/** Cells of the tables. */
final class Words {
    private Words() {}

    static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    static String number(OptionalDouble value, int decimals) {
        return value.isPresent() ? number(value.getAsDouble(), decimals) : "";
    }

    /** {@code 128 K}. */
    static String record(long bytes) {
        return bytes / 1024 + " K";
    }

    /** A target with its comparison, and whether it is reached. */
    static String target(String comparison, double target, int decimals, boolean met) {
        return comparison + " " + number(target, decimals) + (met ? ": met" : ": SHORT");
    }
}

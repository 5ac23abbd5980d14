package io.ecfs.config;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of durations and byte counts in readable form: {@code 500ms}, {@code 10s}, {@code 64MiB}. */
public final class Sizes {
    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,18})\\s*([A-Za-z]*)");
    private static final Map<String, Long> NANOS = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L,
            "d",
            86_400_000_000_000L);
    private static final Map<String, Long> BYTES = Map.of(
            "", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30, "tib", 1L << 40, "k", 1L << 10, "m",
            1L << 20, "g", 1L << 30, "t", 1L << 40);

    private Sizes() {}

    /** @throws IllegalArgumentException for anything but a whole number and a unit */
    public static Duration duration(String text) {
        return Duration.ofNanos(scaled(text, NANOS, "a duration such as 500ms, 10s, 5m, 2h or 1d"));
    }

    /** A duration of at least a millisecond in the largest unit of which it is a multiple; see {@link #duration}. */
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        for (String unit : List.of("d", "h", "m", "s")) {
            long unitMillis = NANOS.get(unit) / 1_000_000;
            if (millis % unitMillis == 0) {
                return millis / unitMillis + unit;
            }
        }
        return millis + "ms";
    }

    /** @throws IllegalArgumentException for anything but a whole number, with or without a unit */
    public static long bytes(String text) {
        return scaled(text, BYTES, "a size such as 4096, 64KiB, 128MiB or 1GiB");
    }

    private static long scaled(String text, Map<String, Long> units, String expected) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip());
        Long unit = matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("expected " + expected + ", got '" + text + "'");
        }
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is too large", e);
        }
    }
}

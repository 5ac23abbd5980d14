package io.ecfs.console.view;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Moments and durations, for people and for scripts. */
public final class Times {
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
    private static final DateTimeFormatter LOCAL_SECOND =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());
    private static final DateTimeFormatter ISO = DateTimeFormatter.ISO_INSTANT;

    private Times() {}

    /** In this machine's time zone. */
    public static String local(long epochMillis) {
        return LOCAL.format(Instant.ofEpochMilli(epochMillis));
    }

    /** In this machine's time zone, without the milliseconds. */
    static String localSecond(long epochMillis) {
        return LOCAL_SECOND.format(Instant.ofEpochMilli(epochMillis));
    }

    /** {@code 2026-01-02T03:04:05.678Z}. */
    public static String iso(long epochMillis) {
        return ISO.format(Instant.ofEpochMilli(epochMillis));
    }

    /** {@code 1.250 s}, or {@code -} for none. */
    public static String seconds(Optional<Long> millis) {
        return millis.map(m -> String.format(Locale.ROOT, "%.3f s", m / 1e3)).orElse("-");
    }
}

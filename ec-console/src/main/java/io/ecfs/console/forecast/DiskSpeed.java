package io.ecfs.console.forecast;

import io.ecfs.config.Nearest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rate of a disk as people write it: {@code 250MB/s}, {@code 1.5GB/s}, {@code 200MiB/s}. */
public final class DiskSpeed {
    private static final Pattern RATE = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)\\s*([kmg]i?b)/s");
    private static final Map<String, Double> BYTES =
            Map.of("kb", 1e3, "mb", 1e6, "gb", 1e9, "kib", 1024.0, "mib", 1024.0 * 1024, "gib", 1024.0 * 1024 * 1024);
    private static final List<String> USUAL =
            List.of("100MB/s", "150MB/s", "200MB/s", "250MB/s", "500MB/s", "1GB/s", "2GB/s", "5GB/s");

    private DiskSpeed() {}

    /**
     * Bytes per second.
     *
     * @throws IllegalArgumentException in one line with the nearest usual speed
     */
    public static double bytesPerSecond(String text) {
        Matcher matcher = RATE.matcher(text.strip().toLowerCase(Locale.ROOT));
        double bytes = matcher.matches() ? Double.parseDouble(matcher.group(1)) * BYTES.get(matcher.group(2)) : 0;
        if (bytes <= 0) {
            throw new IllegalArgumentException("a disk is its speed, such as 250MB/s, 1.5GB/s or 200MiB/s, got '" + text
                    + "'; nearest is " + Nearest.to(text.strip(), USUAL));
        }
        return bytes;
    }
}

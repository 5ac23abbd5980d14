package io.ecfs.console.forecast;

import io.ecfs.config.Nearest;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rate of a link as people write it: {@code 1g}, {@code 2.5g}, {@code 100g}, in 10^9 bits per second. */
public final class NetworkSpeed {
    public static final double BYTES_OF_GIGABIT = 125e6;

    private static final Pattern GIGABITS = Pattern.compile("(\\d{1,5}(?:\\.\\d{1,3})?)g(?:bit)?");
    private static final List<String> USUAL = List.of("1g", "2.5g", "10g", "25g", "40g", "100g", "200g", "400g");

    private NetworkSpeed() {}

    /**
     * Gigabits per second.
     *
     * @throws IllegalArgumentException in one line with the nearest usual speed
     */
    public static double gigabits(String text) {
        Matcher matcher = GIGABITS.matcher(text.strip().toLowerCase(Locale.ROOT));
        double gigabits = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
        if (gigabits <= 0) {
            throw new IllegalArgumentException("a network is its speed in Gb/s, such as 1g, 2.5g or 100g, got '" + text
                    + "'; nearest is " + Nearest.to(text.strip(), USUAL));
        }
        return gigabits;
    }

    /** {@code 2.5g}. */
    public static String text(double gigabits) {
        boolean whole = gigabits == Math.rint(gigabits);
        return (whole ? String.valueOf((long) gigabits) : String.valueOf(gigabits)) + "g";
    }
}

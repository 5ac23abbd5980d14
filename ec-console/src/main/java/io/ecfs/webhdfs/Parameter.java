package io.ecfs.webhdfs;

import java.util.function.Function;

/**
 * A query parameter, with the default and the messages of HDFS (package {@code org.apache.hadoop.hdfs.web.resources}).
 *
 * @param name in lower case; requests may write it in any case
 * @param usual the value without the parameter, or with an empty one
 * @param parser throws IllegalArgumentException with the reason
 */
record Parameter<T>(String name, T usual, Function<String, T> parser) {

    /** @throws IllegalArgumentException as HDFS words it */
    T parse(String value) {
        if (value.isEmpty()) {
            return usual;
        }
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw invalid(name, e.getMessage());
        }
    }

    static IllegalArgumentException invalid(String name, String reason) {
        return new IllegalArgumentException("Invalid value for webhdfs parameter \"" + name + "\": " + reason);
    }

    static Parameter<String> text(String name) {
        return new Parameter<>(name, "", text -> text);
    }

    static Parameter<Boolean> flag(String name, boolean usual) {
        return new Parameter<>(name, usual, text -> {
            if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
                return Boolean.valueOf(text);
            }
            throw new IllegalArgumentException("Failed to parse \"" + text + "\" to Boolean.");
        });
    }

    static Parameter<Long> number(String name, long usual, long least) {
        return new Parameter<>(name, usual, text -> inRange(name, number(text, 10), least, Long.MAX_VALUE, 10));
    }

    /** Permission bits, octal. */
    static Parameter<Integer> mode(String name, int usual) {
        return new Parameter<>(name, usual, text -> (int) inRange(name, number(text, 8), 0, 01777, 8));
    }

    private static long number(String text, int radix) {
        try {
            return Long.parseLong(text, radix);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Failed to parse \"" + text + "\" as a radix-" + radix + " long integer.", e);
        }
    }

    private static long inRange(String name, long value, long least, long most, int radix) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("Invalid parameter range: " + name + " = " + Long.toString(value, radix)
                    + (value < least ? " < " + Long.toString(least, radix) : " > " + Long.toString(most, radix)));
        }
        return value;
    }
}

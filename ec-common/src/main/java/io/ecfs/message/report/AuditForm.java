package io.ecfs.message.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The form of a line of the audit log, written and read: the time in UTC, the logger, and fields {@code key=value} with
 * tabs between them, as HDFS has it.
 *
 * <pre>
 * 2026-11-26 12:00:00,000 INFO ecfs.audit: allowed=true ugi=ann (auth:SIMPLE) …
 * </pre>
 */
public final class AuditForm {
    private static final String TIME = "yyyy-MM-dd HH:mm:ss,SSS";
    private static final String HEAD = " INFO ecfs.audit: ";
    private static final String NONE = "null";
    private static final int DATE_CHARACTERS = "yyyy-MM-dd".length();
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern(TIME, Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Characters of the time. */
    public static final int TIME_CHARACTERS = TIME.length();

    /** Characters of a line before its fields. */
    public static final int HEAD_CHARACTERS = TIME_CHARACTERS + HEAD.length();

    private AuditForm() {}

    /** A line in the making. */
    public static final class Line {
        private final StringBuilder text;
        private boolean first = true;

        private Line(long atMillis) {
            text = new StringBuilder(FORMAT.format(Instant.ofEpochMilli(atMillis))).append(HEAD);
        }

        /** Adds a field; its value is escaped. */
        public Line field(String key, String value) {
            text.append(first ? "" : "\t").append(key).append('=').append(escaped(value));
            first = false;
            return this;
        }

        /** Adds a field; empty as HDFS writes it. */
        public Line field(String key, Optional<String> value) {
            return field(key, value.orElse(NONE));
        }

        /** The line with its newline. */
        public String end() {
            return text.append('\n').toString();
        }
    }

    /** Begins a line. */
    public static Line line(long atMillis) {
        return new Line(atMillis);
    }

    /** The time that a line begins with; it orders as text. */
    public static String time(String line) {
        return line.substring(0, Math.min(TIME_CHARACTERS, line.length()));
    }

    /** The time of a line with fields, as ISO 8601. */
    public static String iso(String line) {
        return line.substring(0, DATE_CHARACTERS) + "T"
                + line.substring(DATE_CHARACTERS + 1, TIME_CHARACTERS).replace(',', '.') + "Z";
    }

    /** The fields, without those that HDFS writes as {@code null}; empty for what is no line of an audit log. */
    public static Optional<Map<String, String>> fields(String line) {
        if (!line.startsWith(HEAD, TIME_CHARACTERS)) {
            return Optional.empty();
        }
        Map<String, String> fields = new HashMap<>();
        for (String field : line.substring(HEAD_CHARACTERS).split("\t", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0 && !field.substring(equals + 1).equals(NONE)) {
                fields.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return Optional.of(fields);
    }

    /**
     * Escapes, as Java does, what ends a field or a line or changes what a terminal shows: controls, line separators,
     * marks of writing direction, lone surrogates, and the backslash.
     */
    static String escaped(String text) {
        if (text.codePoints().allMatch(AuditForm::plain)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (plain(c)) {
                escaped.appendCodePoint(c);
            } else {
                escaped.append(
                        switch (c) {
                            case '\t' -> "\\t";
                            case '\n' -> "\\n";
                            case '\r' -> "\\r";
                            case '\\' -> "\\\\";
                            default -> hex(c);
                        });
            }
        });
        return escaped.toString();
    }

    private static String hex(int c) {
        return c > 0xffff
                ? String.format(Locale.ROOT, "\\u%04x\\u%04x", (int) Character.highSurrogate(c), (int)
                        Character.lowSurrogate(c))
                : String.format(Locale.ROOT, "\\u%04x", c);
    }

    private static boolean plain(int c) {
        if (c >= ' ' && c < 0x7f) {
            return c != '\\';
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}

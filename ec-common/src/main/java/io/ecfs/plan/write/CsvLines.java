package io.ecfs.plan.write;

import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Comma-separated fields, a row each line, without quotes. Empty lines and those that begin with {@code #} are no rows;
 * blanks around fields are dropped.
 */
public final class CsvLines {
    private static final String COMMENT = "#";
    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

    private CsvLines() {}

    /**
     * Reads all rows in order.
     *
     * @param row gets the fields; throws {@link IllegalArgumentException} for bad ones
     * @throws IllegalArgumentException in one line with the number of the bad row
     */
    public static void read(List<String> lines, Consumer<List<String>> row) {
        int number = 0;
        for (String line : lines) {
            number++;
            String content = line.strip();
            if (content.isEmpty() || content.startsWith(COMMENT)) {
                continue;
            }
            try {
                row.accept(List.of(COMMA.split(content, -1)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + " '" + content + "': " + e.getMessage(), e);
            }
        }
    }

    /** @throws IllegalArgumentException unless there is a field for each name of {@code head} */
    public static void requireFields(List<String> fields, String head) {
        if (fields.size() != head.split(",", -1).length) {
            throw new IllegalArgumentException("expected " + head);
        }
    }
}

package io.ecfs.advise;

import io.ecfs.config.Sizes;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of one length.
 *
 * @param count from 1 to {@link #MOST_FILES}
 * @param bytes of each, from 1 to {@link #MOST_BYTES}
 */
public record FileSet(long count, long bytes) {
    public static final long MOST_FILES = 1_000_000_000;

    /** A pebibyte. */
    public static final long MOST_BYTES = 1L << 50;

    private static final Pattern FORM = Pattern.compile("(\\d{1,12})x(\\w+)");

    public FileSet {
        if (count < 1 || count > MOST_FILES || bytes < 1 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("a set has 1 to " + MOST_FILES + " files of 1 byte to 1024t, got "
                    + count + " of " + bytes + " bytes; give several sets, such as 1000x64m,1000000x100k");
        }
    }

    /**
     * Reads {@code 10000x64m}, or several with commas between them.
     *
     * @throws IllegalArgumentException in one line with the form that is expected
     */
    public static List<FileSet> parse(String text) {
        return Arrays.stream(text.split(",", -1)).map(FileSet::one).toList();
    }

    private static FileSet one(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "files are their number and length, such as 10000x64m, got '" + text.strip() + "'");
        }
        return new FileSet(Long.parseLong(matcher.group(1)), Sizes.bytes(matcher.group(2)));
    }
}

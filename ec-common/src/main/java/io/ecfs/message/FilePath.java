package io.ecfs.message;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An absolute, normalised path: {@code /} or {@code /a/b}, names of at most {@value #MAX_NAME_BYTES} bytes in UTF-8, no
 * {@code .} or {@code ..}, no control characters.
 */
public record FilePath(@JsonValue String text) implements Comparable<FilePath> {
    public static final int MAX_NAME_BYTES = 255;
    public static final int MAX_BYTES = 8000;
    public static final int MAX_DEPTH = 1000;
    public static final FilePath ROOT = new FilePath("/");

    /** Of UTF-8, for one of Java's characters. */
    private static final int MOST_BYTES_OF_CHAR = 3;

    /** @throws IllegalArgumentException naming the part that is wrong */
    @JsonCreator
    public FilePath {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("path must be absolute, got '" + shorten(text) + "'");
        }
        if (text.length() > MAX_BYTES / MOST_BYTES_OF_CHAR) {
            requireBytes(text);
        }
        if (text.length() > MAX_DEPTH) {
            requireDepth(text);
        }
        for (int from = 1, end; text.length() > 1 && from <= text.length(); from = end + 1) {
            int slash = text.indexOf('/', from);
            end = slash < 0 ? text.length() : slash;
            checkName(text, from, end);
        }
    }

    private static void requireBytes(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("path of " + bytes + " bytes is longer than the limit of " + MAX_BYTES
                    + ": '" + shorten(text) + "'");
        }
    }

    private static void requireDepth(String text) {
        long names = text.chars().filter(c -> c == '/').count();
        if (names > MAX_DEPTH) {
            throw new IllegalArgumentException("path is " + names + " levels deep, the limit is " + MAX_DEPTH);
        }
    }

    /** @throws IllegalArgumentException when {@code name} cannot be the name of a file */
    public static void checkName(String name) {
        checkName(name, 0, name.length());
    }

    /**
     * As {@link #checkName(String)} for the characters [from, to) of a text, without a copy: every row and message has
     * paths.
     */
    private static void checkName(String text, int from, int to) {
        int length = to - from;
        if (length == 0
                || (text.charAt(from) == '.' && (length == 1 || (length == 2 && text.charAt(from + 1) == '.')))) {
            throw new IllegalArgumentException("'" + text.substring(from, to) + "' is no name for a file or directory");
        }
        if (length > MAX_NAME_BYTES / MOST_BYTES_OF_CHAR) {
            requireNameBytes(text.substring(from, to));
        }
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == '/' || Character.isISOControl(c)) {
                throw new IllegalArgumentException("name holds a character that is not allowed (code " + (int) c
                        + "): '" + shorten(text.substring(from, to)) + "'");
            }
            if (Character.isSurrogate(c) && !pairedAt(text, i)) {
                throw new IllegalArgumentException(
                        "name is not valid Unicode: '" + shorten(text.substring(from, to)) + "'");
            }
        }
    }

    private static void requireNameBytes(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("name of " + bytes + " bytes is longer than the limit of "
                    + MAX_NAME_BYTES + ": '" + shorten(name) + "'");
        }
    }

    /** The names from the root down; empty for the root. */
    public List<String> names() {
        return isRoot() ? List.of() : List.of(text.substring(1).split("/"));
    }

    public boolean isRoot() {
        return text.length() == 1;
    }

    /** Last name; empty for the root. */
    public String name() {
        return text.substring(text.lastIndexOf('/') + 1);
    }

    /** The directory that holds this; the root's parent is the root. */
    public FilePath parent() {
        int slash = text.lastIndexOf('/');
        return slash == 0 ? ROOT : new FilePath(text.substring(0, slash));
    }

    public FilePath child(String name) {
        checkName(name);
        return new FilePath(isRoot() ? "/" + name : text + "/" + name);
    }

    /** True for the path itself and everything below it. */
    public boolean contains(FilePath other) {
        return isRoot() || other.text.equals(text) || other.text.startsWith(text + "/");
    }

    @Override
    public int compareTo(FilePath other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }

    private static boolean pairedAt(String name, int i) {
        return Character.isHighSurrogate(name.charAt(i))
                ? i + 1 < name.length() && Character.isLowSurrogate(name.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(name.charAt(i - 1));
    }

    private static String shorten(String text) {
        return text.length() <= 80 ? text : text.substring(0, 77) + "...";
    }
}

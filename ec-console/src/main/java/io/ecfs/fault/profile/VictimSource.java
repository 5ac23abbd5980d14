package io.ecfs.fault.profile;

import io.ecfs.config.Nearest;
import java.util.List;
import java.util.Objects;

/**
 * Where victims come from: {@code fullest}, {@code random}, {@code group:N} (of the N-th group of the load, from 0),
 * {@code file:PATH} (of a file of the load), or names separated by blanks ({@code "dn3 dn4"}).
 *
 * @param argument number, path or names; empty for the others
 */
public record VictimSource(Kind kind, String argument) {
    public static final VictimSource FULLEST = new VictimSource(Kind.FULLEST, "");
    public static final VictimSource RANDOM = new VictimSource(Kind.RANDOM, "");

    private static final List<String> WORDS = List.of("fullest", "random", "group", "file");

    /** Kind of source. */
    public enum Kind {
        FULLEST,
        RANDOM,
        GROUP,
        FILE,
        NAMES
    }

    public VictimSource {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(argument, "argument");
    }

    /** @throws IllegalArgumentException with the nearest form */
    public static VictimSource parse(String text) {
        String word = text.strip();
        if (word.equals("fullest")) {
            return FULLEST;
        }
        if (word.equals("random")) {
            return RANDOM;
        }
        if (word.startsWith("group:")) {
            String number = word.substring("group:".length());
            if (!number.matches("[0-9]{1,6}")) {
                throw new IllegalArgumentException(
                        "a group is a number from 0, got '" + word + "'; nearest valid is 'group:0'");
            }
            return new VictimSource(Kind.GROUP, number);
        }
        if (word.startsWith("file:/")) {
            return new VictimSource(Kind.FILE, word.substring("file:".length()));
        }
        if (word.matches("[a-z]+[0-9]+(/[0-9]+)?( +[a-z]+[0-9]+(/[0-9]+)?)*") || word.startsWith("/")) {
            return new VictimSource(Kind.NAMES, word);
        }
        throw new IllegalArgumentException("victims come from fullest, random, group:N, file:/PATH, or names such as"
                + " 'dn3 dn4', 'dn3/0' (a volume) or '/rack1', got '" + word + "'; nearest valid is '"
                + Nearest.to(word, WORDS) + "'");
    }

    /** The names, of {@link Kind#NAMES}. */
    public List<String> names() {
        return List.of(argument.split(" +"));
    }

    @Override
    public String toString() {
        return switch (kind) {
            case FULLEST -> "fullest";
            case RANDOM -> "random";
            case GROUP -> "group:" + argument;
            case FILE -> "file:" + argument;
            case NAMES -> argument;
        };
    }
}

package io.ecfs.namenode.namespace;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of names as a shell has it (POSIX 2.13): {@code *}, {@code ?}, {@code [a-z]}, {@code [!a-z]}, and a
 * backslash before a character that stands for itself. A bracket that is not closed stands for itself. Matching
 * takes at most the product of the two lengths, whatever the pattern is. Immutable.
 */
final class NamePattern {
    private final List<Part> parts;
    private final boolean anyCase;
    private long comparisons;

    /** One part of a pattern. */
    private sealed interface Part {
        boolean fits(int character);
    }

    /** Any number of characters. */
    private record Run() implements Part {
        @Override
        public boolean fits(int character) {
            return true;
        }
    }

    /** One character of some ranges, or of none of them. */
    private record One(List<int[]> ranges, boolean negated) implements Part {
        @Override
        public boolean fits(int character) {
            for (int[] range : ranges) {
                if (range[0] <= character && character <= range[1]) {
                    return !negated;
                }
            }
            return negated;
        }
    }

    NamePattern(String pattern, boolean anyCase) {
        this.anyCase = anyCase;
        this.parts = parts(pattern.codePoints().map(this::folded).toArray());
    }

    boolean matches(String name) {
        int[] characters = name.codePoints().map(this::folded).toArray();
        int part = 0;
        int at = 0;
        int run = -1;
        int runEnd = 0;
        while (at < characters.length) {
            comparisons++;
            if (part < parts.size() && parts.get(part) instanceof Run) {
                run = part++;
                runEnd = at;
            } else if (part < parts.size() && parts.get(part).fits(characters[at])) {
                part++;
                at++;
            } else if (run >= 0) {
                part = run + 1;
                at = ++runEnd;
            } else {
                return false;
            }
        }
        return parts.subList(part, parts.size()).stream().allMatch(Run.class::isInstance);
    }

    /** Number of comparisons so far: a pattern that nearly fits everywhere takes their product for each name. */
    long comparisons() {
        return comparisons;
    }

    private int folded(int character) {
        return anyCase ? Character.toLowerCase(Character.toUpperCase(character)) : character;
    }

    private static List<Part> parts(int[] pattern) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < pattern.length; i++) {
            int end = pattern[i] == '[' ? closing(pattern, i) : -1;
            if (pattern[i] == '*') {
                if (parts.isEmpty() || !(parts.get(parts.size() - 1) instanceof Run)) {
                    parts.add(new Run());
                }
            } else if (pattern[i] == '?') {
                parts.add(new One(List.of(), true));
            } else if (end > 0) {
                parts.add(set(pattern, i + 1, end));
                i = end;
            } else {
                if (pattern[i] == '\\' && i + 1 < pattern.length) {
                    i++;
                }
                parts.add(new One(List.of(new int[] {pattern[i], pattern[i]}), false));
            }
        }
        return parts;
    }

    /** Index of the bracket that closes the set which opens at {@code open}; -1 for none. */
    private static int closing(int[] pattern, int open) {
        int first = open + 1 < pattern.length && pattern[open + 1] == '!' ? open + 2 : open + 1;
        for (int i = first + 1; i < pattern.length; i++) {
            if (pattern[i] == ']') {
                return i;
            }
        }
        return -1;
    }

    private static One set(int[] pattern, int from, int to) {
        boolean negated = pattern[from] == '!';
        List<int[]> ranges = new ArrayList<>();
        for (int i = negated ? from + 1 : from; i < to; i++) {
            boolean range = i + 2 < to && pattern[i + 1] == '-';
            ranges.add(new int[] {pattern[i], range ? pattern[i + 2] : pattern[i]});
            i += range ? 2 : 0;
        }
        return new One(ranges, negated);
    }
}

package io.ecfs.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A code by family and parameters; its text form is the first part of a policy name, for example {@code rs-6-3},
 * {@code xor-2-1} or {@code replication-3}.
 *
 * @param family the family
 * @param parameters the numbers behind the family's name, in order; valid for the family
 */
public record CodeSpec(CodeFamily family, List<Integer> parameters) {
    /** k + m is at most this. */
    public static final int MAX_CHUNKS = 32;

    public CodeSpec {
        Objects.requireNonNull(family, "family");
        parameters = List.copyOf(parameters);
        if (parameters.size() != family.parameterCount()) {
            throw new IllegalArgumentException("code " + format(family, parameters) + " has " + parameters.size()
                    + " numbers, its shape is " + family.shape() + "; nearest valid is "
                    + format(family, nearest(family, parameters)));
        }
        List<Integer> nearest = nearest(family, parameters);
        if (!nearest.equals(parameters)) {
            throw new IllegalArgumentException("code " + format(family, parameters) + " is not valid: " + limits(family)
                    + "; nearest valid is " + format(family, nearest));
        }
    }

    public static CodeSpec rs(int dataChunks, int parityChunks) {
        return new CodeSpec(CodeFamily.RS, List.of(dataChunks, parityChunks));
    }

    public static CodeSpec xor(int dataChunks) {
        return new CodeSpec(CodeFamily.XOR, List.of(dataChunks, 1));
    }

    /** {@code copies} chunks, all equal to the data. */
    public static CodeSpec replication(int copies) {
        return new CodeSpec(CodeFamily.REPLICATION, List.of(copies));
    }

    /**
     * Reads {@code family-number-...}.
     *
     * @throws IllegalArgumentException for an unknown family or bad numbers; the message names the nearest valid choice
     */
    public static CodeSpec parse(String text) {
        List<String> words = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.strip().split("-", -1)) {
            if (part.matches("[0-9]{1,6}")) {
                numbers.add(Integer.valueOf(part));
            } else if (numbers.isEmpty()) {
                words.add(part);
            } else {
                throw new IllegalArgumentException("code '" + text + "': '" + part + "' is not a number");
            }
        }
        return new CodeSpec(family(String.join("-", words), text), numbers);
    }

    private static CodeFamily family(String label, String text) {
        for (CodeFamily family : CodeFamily.values()) {
            if (family.label().equals(label)) {
                return family;
            }
        }
        CodeFamily nearest = Arrays.stream(CodeFamily.values())
                .min(Comparator.comparingInt(family -> editDistance(family.label(), label)))
                .orElseThrow();
        String known = Arrays.stream(CodeFamily.values()).map(CodeFamily::shape).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("code '" + text + "': no family '" + label + "'; known are " + known
                + "; nearest is " + nearest.shape());
    }

    /** k. */
    public int dataChunks() {
        return family == CodeFamily.REPLICATION ? 1 : parameters.get(0);
    }

    /** m. */
    public int parityChunks() {
        return switch (family) {
            case RS -> parameters.get(1);
            case XOR -> 1;
            case REPLICATION -> parameters.get(0) - 1;
        };
    }

    /** n = k + m. */
    public int chunks() {
        return dataChunks() + parityChunks();
    }

    /** Any so many lost chunks can be computed from the others. */
    public int survivedLosses() {
        return parityChunks();
    }

    private static String limits(CodeFamily family) {
        return switch (family) {
            case RS -> "k >= 1, m >= 1, k + m <= " + MAX_CHUNKS;
            case XOR -> "1 <= k < " + MAX_CHUNKS + " and exactly 1 parity chunk";
            case REPLICATION -> "2 <= r <= " + MAX_CHUNKS;
        };
    }

    private static List<Integer> nearest(CodeFamily family, List<Integer> numbers) {
        int first = numbers.isEmpty() ? family == CodeFamily.REPLICATION ? 3 : 2 : numbers.get(0);
        int second = numbers.size() < 2 ? 1 : numbers.get(1);
        return switch (family) {
            case RS -> {
                int m = clamp(second, 1, MAX_CHUNKS - 1);
                yield List.of(clamp(first, 1, MAX_CHUNKS - m), m);
            }
            case XOR -> List.of(clamp(first, 1, MAX_CHUNKS - 1), 1);
            case REPLICATION -> List.of(clamp(first, 2, MAX_CHUNKS));
        };
    }

    private static int clamp(int value, int low, int high) {
        return Math.max(low, Math.min(high, value));
    }

    private static int editDistance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, j -> j);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(substituted, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[b.length()];
    }

    private static String format(CodeFamily family, List<Integer> numbers) {
        return family.label() + numbers.stream().map(number -> "-" + number).collect(Collectors.joining());
    }

    /** The text form; {@link #parse} reads it back. */
    @Override
    public String toString() {
        return format(family, parameters);
    }
}

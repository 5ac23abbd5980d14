package io.ecfs.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A code by family and parameters; its text form is the first part of a policy name, for example {@code rs-6-3},
 * {@code xor-2-1} or {@code replication-3}.
 *
 * @param family the family
 * @param parameters the numbers behind the family's name, in order; valid for the family
 */
public record CodeSpec(CodeFamily family, List<Integer> parameters) {
    /** k + m is at most this: a set of chunks has indexes below it. */
    public static final int MAX_CHUNKS = ChunkSet.LIMIT;

    private static final int MAX_DIGITS = 6;

    /** Cells of a code with one sub-chunk are multiples of this many bytes, so that kernels see whole vectors. */
    private static final int SCALAR_ALIGNMENT_BYTES = 64;

    /** Sub-chunks are multiples of this many bytes. */
    private static final int SUB_CHUNK_ALIGNMENT_BYTES = 16;

    public CodeSpec {
        Objects.requireNonNull(family, "family");
        if (!family.takes(parameters.size())) {
            throw new IllegalArgumentException("code " + format(family, parameters) + " has " + parameters.size()
                    + " numbers, its shape is " + family.shape() + "; nearest valid is "
                    + format(family, CodeLimits.nearest(family, parameters)));
        }
        parameters = withoutDefaultWord(family, parameters);
        List<Integer> nearest = CodeLimits.nearest(family, parameters);
        if (!nearest.equals(parameters)) {
            throw new IllegalArgumentException("code " + format(family, parameters) + " is not valid: "
                    + CodeLimits.of(family) + "; nearest valid is " + format(family, nearest));
        }
    }

    /** One code has one name: a word length is part of it only where it is not the usual one. */
    private static List<Integer> withoutDefaultWord(CodeFamily family, List<Integer> numbers) {
        boolean usual = numbers.size() == 3
                && switch (family) {
                    case CRS -> numbers.get(2) == CodeLimits.defaultCrsWord(numbers.get(0), numbers.get(1));
                    case LIBERATION -> numbers.get(2) == CodeLimits.defaultLiberationWord(numbers.get(0));
                    default -> false;
                };
        return List.copyOf(usual ? numbers.subList(0, 2) : numbers);
    }

    public static CodeSpec rs(int dataChunks, int parityChunks) {
        return new CodeSpec(CodeFamily.RS, List.of(dataChunks, parityChunks));
    }

    /**
     * Reads {@code family-number-...}.
     *
     * @throws IllegalArgumentException for an unknown family or bad numbers; the message names the nearest valid choice
     */
    public static CodeSpec parse(String text) {
        List<String> words = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        Optional<String> stranger = Optional.empty();
        for (String part : text.strip().split("-", -1)) {
            if (isNumber(part)) {
                numbers.add(Integer.valueOf(part));
            } else if (numbers.isEmpty()) {
                words.add(part);
            } else if (stranger.isEmpty()) {
                stranger = Optional.of(part);
            }
        }
        CodeFamily family = family(String.join("-", words), numbers, text);
        if (stranger.isPresent()) {
            throw new IllegalArgumentException("code '" + text + "': '" + stranger.get()
                    + "' is no number of up to 6 digits; nearest valid is "
                    + format(family, CodeLimits.nearest(family, numbers)));
        }
        return new CodeSpec(family, numbers);
    }

    /** 1 to 6 digits. */
    private static boolean isNumber(String part) {
        for (int i = 0; i < part.length(); i++) {
            if (part.charAt(i) < '0' || part.charAt(i) > '9') {
                return false;
            }
        }
        return !part.isEmpty() && part.length() <= MAX_DIGITS;
    }

    private static CodeFamily family(String label, List<Integer> numbers, String text) {
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
                + "; nearest valid is " + format(nearest, CodeLimits.nearest(nearest, numbers)));
    }

    /** k. */
    public int dataChunks() {
        return family == CodeFamily.REPLICATION ? 1 : parameters.get(0);
    }

    /** m. */
    public int parityChunks() {
        return switch (family) {
            case RS, RS_VAN, CLAY, CRS, SHEC -> parameters.get(1);
            case XOR -> 1;
            case LIBERATION -> 2;
            case REPLICATION -> parameters.get(0) - 1;
            case LRC -> parameters.get(1) + parameters.get(2);
        };
    }

    /** n = k + m. */
    public int chunks() {
        return dataChunks() + parityChunks();
    }

    /** alpha: a cell has so many sub-chunks. 1 for scalar codes, which compute every byte of a cell alike. */
    public int subChunks() {
        return switch (family) {
            case CLAY -> grid().subChunks();
            case CRS, LIBERATION -> wordBits();
            default -> 1;
        };
    }

    /**
     * Cells, those of a tail too, are multiples of this: 64 bytes for scalar codes, 16 bytes x alpha for the others.
     */
    public int cellAlignmentBytes() {
        int subChunks = subChunks();
        return subChunks == 1 ? SCALAR_ALIGNMENT_BYTES : SUB_CHUNK_ALIGNMENT_BYTES * subChunks;
    }

    /** Any so many lost chunks can be computed from the others; of more some can, see {@link #decodable}. */
    public int survivedLosses() {
        return switch (family) {
            case LRC -> parameters.get(2) + 1;
            case SHEC -> parameters.get(2);
            default -> parityChunks();
        };
    }

    /**
     * Returns whether any k chunks determine all others; otherwise it depends on the chunks, see {@link #decodable}.
     */
    public boolean decodesFromAny() {
        return survivedLosses() == parityChunks();
    }

    /**
     * Returns whether these chunks determine all others. Pure: the same result on every machine and in every version.
     */
    public boolean decodable(ChunkSet available) {
        ChunkSet mine = available.intersection(ChunkSet.range(0, chunks()));
        if (mine.size() >= chunks() - survivedLosses()) {
            return true;
        }
        return mine.size() >= dataChunks()
                && switch (family) {
                    case LRC ->
                        Generators.localGroups(this).stream()
                                        .mapToInt(group ->
                                                Math.max(0, group.minus(mine).size() - 1))
                                        .sum()
                                <= mine.minus(ChunkSet.range(0, chunks() - parameters.get(2)))
                                        .size();
                    case SHEC -> Generators.of(this).select(mine.toArray()).rank() == dataChunks();
                    default -> true;
                };
    }

    /**
     * Returns whether these chunks determine all others even when any one of them is lost, as an acknowledged write
     * requires.
     */
    public boolean redundant(ChunkSet available) {
        ChunkSet mine = available.intersection(ChunkSet.range(0, chunks()));
        return mine.size() > chunks() - survivedLosses()
                || (mine.size() > dataChunks() && mine.stream().allMatch(lost -> decodable(mine.without(lost))));
    }

    /** Of a Clay code. */
    public ClayGrid grid() {
        return new ClayGrid(parameters.get(0), parameters.get(1), parameters.get(2));
    }

    /** w of a bit-matrix code. */
    int wordBits() {
        if (parameters.size() == 3) {
            return parameters.get(2);
        }
        return family == CodeFamily.CRS
                ? CodeLimits.defaultCrsWord(parameters.get(0), parameters.get(1))
                : CodeLimits.defaultLiberationWord(parameters.get(0));
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
        StringBuilder text = new StringBuilder(family.label());
        numbers.forEach(number -> text.append('-').append(number));
        return text.toString();
    }

    /** The text form; {@link #parse} reads it back. */
    @Override
    public String toString() {
        return format(family, parameters);
    }
}

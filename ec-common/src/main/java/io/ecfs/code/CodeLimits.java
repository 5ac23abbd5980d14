package io.ecfs.code;

import static io.ecfs.code.CodeSpec.MAX_CHUNKS;

import java.util.List;
import java.util.stream.IntStream;

/** Numbers that each family admits, and the admitted ones nearest to any others. */
final class CodeLimits {
    /**
     * So many data chunks a local group of an LRC has at most, and so many groups there are: see
     * {@link Generators#lrc}.
     */
    static final int MAX_LRC_GROUP = 15;

    static final int MAX_LRC_GROUPS = 15;
    static final int MAX_LRC_GLOBALS = 2;

    /** Sub-chunks of a Clay code: a cell has 16 bytes of each at least. */
    static final int MAX_CLAY_SUB_CHUNKS = 1024;

    /** Bit rows of a Liberation code fit a long. */
    static final int MAX_LIBERATION_WORD = 61;

    private static final int MAX_SHEC_DATA = 12;
    private static final int MAX_SHEC_CHUNKS = 20;

    private CodeLimits() {}

    static String of(CodeFamily family) {
        return switch (family) {
            case RS, RS_VAN -> "k >= 1, m >= 1, k + m <= " + MAX_CHUNKS;
            case XOR -> "1 <= k < " + MAX_CHUNKS + " and exactly 1 parity chunk";
            case REPLICATION -> "2 <= r <= " + MAX_CHUNKS;
            case LRC ->
                "1 to " + MAX_LRC_GROUPS + " groups of equally many data chunks, 1 to " + MAX_LRC_GROUP + ", and 1 to "
                        + MAX_LRC_GLOBALS + " global parity chunks";
            case CLAY ->
                "k >= 1, m >= 1, k + m <= " + MAX_CHUNKS + ", k <= d < k + m, and (d-k+1) to the power"
                        + " ceil((k+m)/(d-k+1)) sub-chunks <= " + MAX_CLAY_SUB_CHUNKS;
            case CRS -> "k >= 1, m >= 1, and k + m <= 16 with w = 4 or k + m <= " + MAX_CHUNKS + " with w = 8";
            case LIBERATION -> "exactly 2 parity chunks, w a prime, 3 <= w <= " + MAX_LIBERATION_WORD + ", 1 <= k <= w";
            case SHEC -> "1 <= c <= m <= k <= " + MAX_SHEC_DATA + ", k + m <= " + MAX_SHEC_CHUNKS;
        };
    }

    /** The numbers themselves when they are valid; a number that is not given counts as a small one. */
    static List<Integer> nearest(CodeFamily family, List<Integer> numbers) {
        int first = numbers.isEmpty() ? family == CodeFamily.REPLICATION ? 3 : 2 : numbers.get(0);
        int second = numbers.size() < 2 ? 1 : numbers.get(1);
        return switch (family) {
            case RS, RS_VAN -> {
                int m = clamp(second, 1, MAX_CHUNKS - 1);
                yield List.of(clamp(first, 1, MAX_CHUNKS - m), m);
            }
            case XOR -> List.of(clamp(first, 1, MAX_CHUNKS - 1), 1);
            case REPLICATION -> List.of(clamp(first, 2, MAX_CHUNKS));
            case LRC -> lrc(first, second, numbers.size() < 3 ? 2 : numbers.get(2));
            case CLAY -> clay(first, second, numbers.size() < 3 ? MAX_CHUNKS : numbers.get(2));
            case CRS -> crs(first, second, numbers.size() < 3 ? 0 : numbers.get(2));
            case LIBERATION -> liberation(first, numbers.size() < 3 ? 0 : numbers.get(2));
            case SHEC -> {
                int k = clamp(first, 1, MAX_SHEC_DATA);
                int m = clamp(second, 1, Math.min(k, MAX_SHEC_CHUNKS - k));
                yield List.of(k, m, clamp(numbers.size() < 3 ? 1 : numbers.get(2), 1, m));
            }
        };
    }

    private static List<Integer> lrc(int data, int groups, int globals) {
        int l = clamp(groups, 1, MAX_LRC_GROUPS);
        int group = clamp(Math.round(data / (float) l), 1, MAX_LRC_GROUP);
        return List.of(l * group, l, clamp(globals, 1, MAX_LRC_GLOBALS));
    }

    private static List<Integer> clay(int data, int parity, int helpers) {
        int m = clamp(parity, 1, MAX_CHUNKS - 1);
        int k = clamp(data, 1, MAX_CHUNKS - m);
        int wanted = clamp(helpers, k, k + m - 1);
        int d = IntStream.rangeClosed(0, m)
                .flatMap(far -> IntStream.of(wanted - far, wanted + far))
                .filter(h -> h >= k && h < k + m && admitted(new ClayGrid(k, m, h)))
                .findFirst()
                .orElseThrow();
        return List.of(k, m, d);
    }

    private static boolean admitted(ClayGrid grid) {
        return grid.nodes() <= MAX_CHUNKS && grid.subChunks() <= MAX_CLAY_SUB_CHUNKS;
    }

    private static List<Integer> crs(int data, int parity, int word) {
        int m = clamp(parity, 1, MAX_CHUNKS - 1);
        int k = clamp(data, 1, MAX_CHUNKS - m);
        int shortest = defaultCrsWord(k, m);
        int w = word == 0 ? shortest : word <= 5 ? shortest : 8;
        return w == shortest ? List.of(k, m) : List.of(k, m, w);
    }

    static int defaultCrsWord(int k, int m) {
        return k + m <= 16 ? 4 : 8;
    }

    private static List<Integer> liberation(int data, int word) {
        int k = clamp(data, 1, MAX_LIBERATION_WORD);
        int usual = defaultLiberationWord(k);
        int wanted = word == 0 ? usual : clamp(word, 3, MAX_LIBERATION_WORD);
        int w = IntStream.rangeClosed(0, MAX_LIBERATION_WORD)
                .flatMap(far -> IntStream.of(wanted - far, wanted + far))
                .filter(p -> p >= Math.max(3, k) && p <= MAX_LIBERATION_WORD && isPrime(p))
                .findFirst()
                .orElseThrow();
        return w == usual ? List.of(k, 2) : List.of(k, 2, w);
    }

    static int defaultLiberationWord(int k) {
        return IntStream.iterate(Math.max(7, k), p -> p + 1)
                .filter(CodeLimits::isPrime)
                .findFirst()
                .orElseThrow();
    }

    static boolean isPrime(int number) {
        return number > 1 && IntStream.range(2, number).noneMatch(divisor -> number % divisor == 0);
    }

    private static int clamp(int value, int low, int high) {
        return Math.max(low, Math.min(high, value));
    }
}

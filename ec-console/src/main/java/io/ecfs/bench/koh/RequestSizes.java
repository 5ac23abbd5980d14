package io.ecfs.bench.koh;

import io.ecfs.config.Sizes;
import java.util.ArrayList;
import java.util.List;

/** Sizes of requests as people write them: {@code 4k,64k} or, each twice the one before, {@code 1k..1m}. */
public final class RequestSizes {
    static final int SECTOR = 512;
    static final int MOST = 64 << 20;

    private static final String TO = "..";
    private static final int KIB = 1024;

    private RequestSizes() {}

    /** @throws IllegalArgumentException for what is no size, or a range that doubling does not reach */
    public static List<Integer> parse(String text) {
        List<Integer> sizes = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            int dots = word.indexOf(TO);
            if (dots < 0) {
                sizes.add(size(word));
                continue;
            }
            int from = size(word.substring(0, dots));
            int to = size(word.substring(dots + TO.length()));
            int reached = from;
            sizes.add(from);
            while (reached < to) {
                reached *= 2;
                sizes.add(reached);
            }
            if (reached != to) {
                throw new IllegalArgumentException("--sizes " + word + ": doubling " + text(from) + " does not reach "
                        + text(to) + "; nearest is " + text(from) + TO + text(reached));
            }
        }
        return List.copyOf(sizes);
    }

    private static int size(String word) {
        return check(Sizes.bytes(word));
    }

    /** @throws IllegalArgumentException unless it is a multiple of 512 from 512 to 64 MiB, with the nearest that is */
    static int check(long bytes) {
        if (bytes < SECTOR || bytes > MOST || bytes % SECTOR != 0) {
            long whole = Math.round(bytes / (double) SECTOR) * SECTOR;
            throw new IllegalArgumentException("--sizes must be multiples of 512 from 512 to 64m, got " + bytes
                    + "; nearest is " + text(Math.max(SECTOR, Math.min(MOST, whole))));
        }
        return (int) bytes;
    }

    /** {@code 512}, {@code 4k}, {@code 1m}. */
    public static String text(long bytes) {
        if (bytes % KIB != 0) {
            return String.valueOf(bytes);
        }
        return bytes % (KIB * KIB) == 0 ? bytes / (KIB * KIB) + "m" : bytes / KIB + "k";
    }
}

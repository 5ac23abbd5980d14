package io.ecfs.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The word that was probably meant: the one at the smallest edit distance (Levenshtein). */
public final class Nearest {
    private Nearest() {}

    /** @param known at least one word */
    public static String to(String word, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(k -> distance(word.toLowerCase(Locale.ROOT), k.toLowerCase(Locale.ROOT))))
                .orElseThrow();
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}

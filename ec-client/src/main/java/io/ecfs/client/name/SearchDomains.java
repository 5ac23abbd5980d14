package io.ecfs.client.name;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Domains below which this machine searches short names, from {@code /etc/resolv.conf} (resolv.conf(5)): the last line
 * {@code search} or {@code domain} counts.
 *
 * @param file need not exist
 */
record SearchDomains(Path file) {
    static final Path OF_THIS_MACHINE = Path.of("/etc/resolv.conf");

    /** Most domains that are tried, as in the C library before 2.26. */
    private static final int MAX_DOMAINS = 6;

    /** In order; none when the file has none or cannot be read. */
    List<String> read() {
        List<String> domains = List.of();
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 1 && (words[0].equals("search") || words[0].equals("domain"))) {
                    domains = Arrays.stream(words)
                            .skip(1)
                            .limit(MAX_DOMAINS)
                            .map(word -> word.endsWith(".") ? word.substring(0, word.length() - 1) : word)
                            .filter(word -> !word.isEmpty())
                            .toList();
                }
            }
        } catch (IOException e) {
            return List.of(); // a machine without it searches no domain
        }
        return domains;
    }
}

package io.ecfs.client.name;

import io.ecfs.message.Address;
import java.util.Comparator;

/**
 * A service record of DNS (RFC 2782).
 *
 * @param priority smaller is preferred
 * @param weight larger is preferred among equal priorities
 * @param target name of the host without the dot at its end; empty: the service is decidedly not there
 */
public record SrvRecord(int priority, int weight, int port, String target) {
    /** Preferred records first. */
    static final Comparator<SrvRecord> PREFERENCE = Comparator.comparingInt(SrvRecord::priority)
            .thenComparing(Comparator.comparingInt(SrvRecord::weight).reversed())
            .thenComparing(SrvRecord::target)
            .thenComparingInt(SrvRecord::port);

    /** @throws IllegalArgumentException when the text is not {@code priority weight port target} */
    static SrvRecord parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        if (words.length != 4) {
            throw new IllegalArgumentException("an SRV record is 'priority weight port target', got '" + text + "'");
        }
        return new SrvRecord(
                Integer.parseInt(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                words[3].endsWith(".") ? words[3].substring(0, words[3].length() - 1) : words[3]);
    }

    Address address() {
        return new Address(target, port);
    }
}

package io.ecfs.message.report;

import io.ecfs.error.ErrorCode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Block groups that clients encoded after all, since no datanode would or could go on with them, for one reason.
 *
 * @param reason a code that this release does not know is read as {@code INTERNAL}
 * @param groups how many
 */
public record RelayFallbacks(ErrorCode reason, long groups) {
    public RelayFallbacks {
        Objects.requireNonNull(reason, "reason");
        if (groups < 0) {
            throw new IllegalArgumentException("a count of groups must not be negative, got " + groups);
        }
    }

    /** Counts by reason as a list, in the order of the codes. */
    public static List<RelayFallbacks> of(Map<ErrorCode, Long> counts) {
        return counts.entrySet().stream()
                .map(count -> new RelayFallbacks(count.getKey(), count.getValue()))
                .sorted(Comparator.comparing(RelayFallbacks::reason))
                .toList();
    }

    /** Fallbacks that came since earlier ones, by reason; without reasons to which none was added. */
    public static List<RelayFallbacks> added(List<RelayFallbacks> before, List<RelayFallbacks> now) {
        return now.stream()
                .map(fallbacks -> new RelayFallbacks(
                        fallbacks.reason, Math.max(0, fallbacks.groups - of(fallbacks.reason, before))))
                .filter(fallbacks -> fallbacks.groups > 0)
                .toList();
    }

    private static long of(ErrorCode reason, List<RelayFallbacks> all) {
        return all.stream()
                .filter(fallbacks -> fallbacks.reason == reason)
                .mapToLong(RelayFallbacks::groups)
                .sum();
    }
}

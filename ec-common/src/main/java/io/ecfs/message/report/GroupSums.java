package io.ecfs.message.report;

import io.ecfs.layout.Policy;
import java.util.List;
import java.util.Objects;

/**
 * Sums of the sealed groups of a page, by policy.
 *
 * @param next groups up to this number were examined; 0 when there are no further ones
 */
public record GroupSums(List<Sum> sums, long next) {
    public GroupSums {
        sums = List.copyOf(sums);
    }

    /**
     * @param groups that are sealed
     * @param userBytes of these
     * @param chunks of them that datanodes report
     * @param storedBytes of those chunks, as reported, checksums not counted
     */
    public record Sum(Policy policy, long groups, long userBytes, long chunks, long storedBytes) {
        public Sum {
            Objects.requireNonNull(policy, "policy");
        }

        /** Adds sums of the same policy. */
        public Sum plus(Sum other) {
            return new Sum(
                    policy,
                    groups + other.groups,
                    userBytes + other.userBytes,
                    chunks + other.chunks,
                    storedBytes + other.storedBytes);
        }
    }
}

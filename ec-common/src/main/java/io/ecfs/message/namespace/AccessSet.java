package io.ecfs.message.namespace;

import io.ecfs.layout.GroupId;
import java.util.List;

/**
 * Block groups that one request of a client read together (ec-store paper: Q).
 *
 * @param groups at least one and at most {@link #MAX_GROUPS}: the maker of the set drops further ones
 * @param weight number of requests it stands for: 10 when one request in ten is reported
 */
public record AccessSet(List<GroupId> groups, int weight) {
    public static final int MAX_GROUPS = 64;
    public static final int MAX_WEIGHT = 1_000_000;

    public AccessSet {
        groups = List.copyOf(groups);
        if (groups.isEmpty() || groups.size() > MAX_GROUPS) {
            throw new IllegalArgumentException(
                    "an access set has 1 to " + MAX_GROUPS + " groups, got " + groups.size());
        }
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight of an access set is out of [1, " + MAX_WEIGHT + "]: " + weight);
        }
    }
}

package io.ecfs.message.namespace;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import java.util.List;
import java.util.Objects;

/**
 * A writer's word that a group is complete.
 *
 * @param length user bytes; 0 drops the group
 * @param finished the chunks whose datanodes have acknowledged them as finished
 */
public record SealedGroup(GroupId group, long length, List<ChunkId> finished) {
    public SealedGroup {
        Objects.requireNonNull(group, "group");
        finished = List.copyOf(finished);
        if (length < 0) {
            throw new IllegalArgumentException("sealed length of " + group + " is negative: " + length);
        }
        if (finished.stream().anyMatch(c -> !c.group().equals(group))
                || finished.stream().map(ChunkId::index).distinct().count() != finished.size()) {
            throw new IllegalArgumentException(
                    "finished chunks of " + group + " must be its own, each index once: " + finished);
        }
    }
}

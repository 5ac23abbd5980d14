package io.ecfs.client.access;

import io.ecfs.layout.GroupId;
import java.util.Set;

/**
 * Receives the groups of blocks that are read together: once for each up to 64 spans of a request that are planned
 * together, on the client's owner thread, before they are read.
 */
@FunctionalInterface
public interface AccessRecorder {
    /** @param together groups of these spans, at least one */
    void accessed(Set<GroupId> together);
}

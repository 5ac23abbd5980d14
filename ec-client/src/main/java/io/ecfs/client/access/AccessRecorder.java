package io.ecfs.client.access;

import io.ecfs.layout.GroupId;
import java.util.Set;

/** Is told which blocks were read together: once for each request of several ranges, on the client's owner thread, before it is read. */
@FunctionalInterface
public interface AccessRecorder {
    /** @param together groups of one request, at least one */
    void accessed(Set<GroupId> together);
}

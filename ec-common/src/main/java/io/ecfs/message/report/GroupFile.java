package io.ecfs.message.report;

import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import java.util.Objects;
import java.util.Optional;

/**
 * The file that has bytes in a group.
 *
 * @param path its present path; empty unless {@code state} is {@code FOUND}
 */
public record GroupFile(GroupId group, State state, Optional<FilePath> path) {
    /** State of the group and its file. */
    public enum State {
        /** The file has a path. */
        FOUND,
        /** The group has no file any more, or there was never such a group. */
        GONE,
        /** The caller may not list the file. */
        DENIED
    }

    public GroupFile {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(state, "state");
        if (path.isPresent() != (state == State.FOUND)) {
            throw new IllegalArgumentException("group " + group + " is " + state + " with path " + path);
        }
    }
}

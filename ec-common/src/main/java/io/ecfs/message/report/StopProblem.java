package io.ecfs.message.report;

import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import java.util.Objects;
import java.util.Optional;

/**
 * A sealed group that would have too few chunks left if certain datanodes stopped.
 *
 * @param path of its file; empty when that is being deleted
 * @param alive chunks that can be read now
 * @param after those that could be read then
 * @param needed k of its policy
 * @param unreadable whether it could not be read then; otherwise it could, but would not survive another loss
 */
public record StopProblem(
        GroupId group, Optional<FilePath> path, int alive, int after, int needed, boolean unreadable) {
    public StopProblem {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(path, "path");
    }
}

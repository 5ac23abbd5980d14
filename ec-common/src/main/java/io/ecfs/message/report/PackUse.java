package io.ecfs.message.report;

import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Use of a group that small files share.
 *
 * @param length user bytes, those of deleted files and padding included; -1 while it is written
 * @param liveBytes those that files refer to
 * @param files that have bytes in it, counted up to {@value #MOST_FILES}; empty: not counted
 * @param paths of those that the caller may list; empty: not requested, or from a namenode of an earlier release
 */
public record PackUse(
        GroupId group, long length, long liveBytes, Optional<Long> files, Optional<List<FilePath>> paths) {
    public static final long MOST_FILES = 10_000;

    public PackUse {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(files, "files");
        paths = paths.map(List::copyOf);
    }
}

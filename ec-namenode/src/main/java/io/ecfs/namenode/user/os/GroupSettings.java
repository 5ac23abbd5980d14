package io.ecfs.namenode.user.os;

import io.ecfs.namenode.user.GroupSource;
import io.ecfs.namenode.user.StaticGroups;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Sources of a namenode for the groups of users, alike on each of a cluster: the first that knows a user counts.
 * @param users each with their groups
 * @param file lines of {@link StaticGroups}, read again for every lookup
 * @param system whether the operating system of the namenode is asked
 */
public record GroupSettings(Map<String, List<String>> users, Optional<Path> file, boolean system) {
    public GroupSettings {
        users = new StaticGroups(users).users();
        Objects.requireNonNull(file, "file");
    }

    /** The operating system alone, as in HDFS. */
    public static GroupSettings defaults() {
        return new GroupSettings(Map.of(), Optional.empty(), true);
    }

    /** @throws IOException when the file cannot be read, or has a line that is wrong */
    public GroupSource open() throws IOException {
        Optional<GroupFile> list = file.map(GroupFile::new);
        if (list.isPresent()) {
            list.get().read();
        }
        StaticGroups fixed = new StaticGroups(users);
        GroupSource machine = system ? new SystemGroups() : user -> List.of();
        return user -> {
            Optional<List<String>> listed = fixed.of(user);
            if (listed.isEmpty() && list.isPresent()) {
                listed = list.get().read().of(user);
            }
            return listed.isPresent() ? listed.get() : machine.groupsOf(user);
        };
    }
}

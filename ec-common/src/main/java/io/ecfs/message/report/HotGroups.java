package io.ecfs.message.report;

import io.ecfs.layout.GroupId;
import java.util.List;
import java.util.Objects;

/**
 * Block groups with a chunk on one datanode that clients read most, as far as one namenode knows from samples of their
 * requests: the cause of that datanode's load.
 *
 * @param spanMillis time that the samples cover
 * @param requests of clients in that time, estimated, for any group
 * @param groups the one that was read most first
 */
public record HotGroups(long spanMillis, long requests, List<Group> groups) {
    public HotGroups {
        groups = List.copyOf(groups);
    }

    /**
     * @param requests of clients with it in that time, estimated
     * @param readers the one with most requests first
     */
    public record Group(GroupId group, long requests, List<Reader> readers) {
        public Group {
            Objects.requireNonNull(group, "group");
            readers = List.copyOf(readers);
        }
    }

    /**
     * @param user of the client
     * @param share of the requests for the group, in (0, 1]
     */
    public record Reader(String user, double share) {
        public Reader {
            Objects.requireNonNull(user, "user");
        }
    }
}

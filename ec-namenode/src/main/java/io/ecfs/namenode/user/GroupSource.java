package io.ecfs.namenode.user;

import java.io.IOException;
import java.util.List;

/**
 * Source of the groups of users (Hadoop: GroupMappingServiceProvider). A port: it may block, and is called by workers.
 */
public interface GroupSource {
    /**
     * The groups of a user whose name is a {@link io.ecfs.message.PrincipalName}; empty for one that the source does
     * not know.
     * @throws IOException when it cannot answer at the moment
     */
    List<String> groupsOf(String user) throws IOException;
}

package io.ecfs.namenode.command;

import java.util.List;
import java.util.Objects;

/** The user that the connection's greeting named, and the groups that the namenode found it in. */
public record CallerIdentity(String user, List<String> groups) {
    public CallerIdentity {
        Objects.requireNonNull(user, "user");
        if (user.isEmpty()) {
            throw new IllegalArgumentException("caller without a user name");
        }
        groups = List.copyOf(groups);
    }

    /** True for what datanodes greet with: no user is called so, since no user's name has a space. */
    public boolean isDatanode() {
        return user.startsWith("datanode ");
    }
}

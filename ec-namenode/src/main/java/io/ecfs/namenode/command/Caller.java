package io.ecfs.namenode.command;

import java.util.List;
import java.util.Objects;

/** Who asks: the user and the groups that the connection's greeting named. */
public record Caller(String user, List<String> groups) {
    public Caller {
        Objects.requireNonNull(user, "user");
        if (user.isEmpty()) {
            throw new IllegalArgumentException("caller without a user name");
        }
        groups = List.copyOf(groups);
    }
}

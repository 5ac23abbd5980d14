package io.ecfs.client;

import java.util.List;
import java.util.Objects;

/**
 * User of a client, trusted as in HDFS's simple authentication.
 *
 * @param groups first the primary one; may be empty. Namenodes of feature level 1 trust them, others resolve groups
 *     themselves
 */
public record Identity(String user, List<String> groups) {
    public Identity {
        Objects.requireNonNull(user, "user");
        groups = List.copyOf(groups);
        if (user.isBlank()) {
            throw new IllegalArgumentException("a client needs a user name");
        }
    }

    /** The user of this process, with a group of the same name. */
    public static Identity ofThisProcess() {
        String user = System.getProperty("user.name");
        return new Identity(user, List.of(user));
    }
}

package io.ecfs.namenode.command;

import io.ecfs.message.CallerContext;
import java.util.List;
import java.util.Objects;

/**
 * The user that the connection's greeting named, and the groups that the namenode found it in.
 *
 * @param context what the greeting says of the program; empty where nothing depends on it
 */
public record CallerIdentity(String user, List<String> groups, CallerContext context) {
    private static final CallerContext NONE = new CallerContext("");

    public CallerIdentity {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(context, "context");
        if (user.isEmpty()) {
            throw new IllegalArgumentException("caller without a user name");
        }
        groups = List.copyOf(groups);
    }

    /** Without a context. */
    public CallerIdentity(String user, List<String> groups) {
        this(user, groups, NONE);
    }

    /** The same without its context. */
    public CallerIdentity alone() {
        return new CallerIdentity(user, groups);
    }

    /** The user, and the person behind it where the context names one. */
    public String who() {
        return context.who(user);
    }

    /** True for what datanodes greet with: no user is called so, since no user's name has a space. */
    public boolean isDatanode() {
        return user.startsWith("datanode ");
    }
}

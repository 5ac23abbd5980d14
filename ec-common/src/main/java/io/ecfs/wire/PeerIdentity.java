package io.ecfs.wire;

import io.ecfs.message.DatanodeId;
import java.util.Objects;
import java.util.Optional;

/**
 * Who is at the other end of a connection, as far as it is known. What a greeting says of its role is no identity
 * before it is proved.
 */
public sealed interface PeerIdentity {
    /** What a namenode calls itself begins with it. */
    String NAMENODE = "namenode ";

    /** What a datanode calls itself begins with it. */
    String DATANODE = "datanode ";

    /** A user, or whoever says so: nothing is proved. */
    record User(String name) implements PeerIdentity {
        public User {
            Objects.requireNonNull(name, "name");
        }
    }

    /** A datanode of this cluster, which proved that it has the join token. */
    record Datanode(DatanodeId id) implements PeerIdentity {
        public Datanode {
            Objects.requireNonNull(id, "id");
        }
    }

    /** A namenode of this cluster, which proved that it has the join token. */
    record Namenode(String id) implements PeerIdentity {
        public Namenode {
            Objects.requireNonNull(id, "id");
        }
    }

    /** The daemon that calls itself by this role; empty for what is none. Nothing is proved by it. */
    static Optional<PeerIdentity> daemon(String role) {
        if (role.startsWith(DATANODE) && DatanodeId.isValid(role.substring(DATANODE.length()))) {
            return Optional.of(new Datanode(new DatanodeId(role.substring(DATANODE.length()))));
        } else if (role.startsWith(NAMENODE) && role.length() > NAMENODE.length()) {
            return Optional.of(new Namenode(role.substring(NAMENODE.length())));
        }
        return Optional.empty();
    }
}

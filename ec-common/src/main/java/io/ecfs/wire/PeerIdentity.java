package io.ecfs.wire;

import io.ecfs.message.DatanodeId;
import java.util.Objects;
import java.util.Optional;

/**
 * Identity of the peer of a connection, as far as it is known. The role in a greeting is no identity before it is
 * proved.
 */
public sealed interface PeerIdentity {
    /** Prefix of a namenode's role. */
    String NAMENODE = "namenode ";

    /** Prefix of a datanode's role. */
    String DATANODE = "datanode ";

    /** A user by name, not proved. */
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

    /** The daemon with this role; empty for other roles. It proves nothing. */
    static Optional<PeerIdentity> daemon(String role) {
        if (role.startsWith(DATANODE) && DatanodeId.isValid(role.substring(DATANODE.length()))) {
            return Optional.of(new Datanode(new DatanodeId(role.substring(DATANODE.length()))));
        } else if (role.startsWith(NAMENODE) && role.length() > NAMENODE.length()) {
            return Optional.of(new Namenode(role.substring(NAMENODE.length())));
        }
        return Optional.empty();
    }
}

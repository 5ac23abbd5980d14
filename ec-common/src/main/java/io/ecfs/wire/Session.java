package io.ecfs.wire;

import io.ecfs.message.Address;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.chunk.BlockToken;
import java.util.List;
import java.util.Objects;

/**
 * Peer of a connection: the content of its greeting, trusted as in HDFS's simple authentication, and its proved
 * identity.
 *
 * @param remote address the connection comes from
 * @param groups that the user names, which is no proof of anything
 * @param role what the caller says it is: {@code client}, {@code datanode dn3} …; for logs and counts
 * @param clusterId the cluster the caller means; empty when it only knows an address
 * @param takesFiles whether answers may hold bytes of files; not where they must be encrypted on their way
 * @param featureLevel the lower one of the levels of its two ends: nothing above it is sent here
 * @param identity what it may ask depends on this alone
 */
public record Session(
        Address remote,
        String user,
        List<String> groups,
        String role,
        String clusterId,
        boolean takesFiles,
        int featureLevel,
        PeerIdentity identity) {
    /** Of two ends of this release that prove nothing. */
    public Session(
            Address remote, String user, List<String> groups, String role, String clusterId, boolean takesFiles) {
        this(remote, user, groups, role, clusterId, takesFiles, FeatureLevel.RELEASE, new PeerIdentity.User(user));
    }

    public Session {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(clusterId, "clusterId");
        Objects.requireNonNull(identity, "identity");
        groups = List.copyOf(groups);
    }

    /**
     * Whom block tokens must have been given to. A daemon that has proved nothing is no datanode, whatever it calls
     * itself.
     */
    public String principal() {
        if (identity instanceof PeerIdentity.Datanode datanode) {
            return BlockToken.Scope.principalOf(datanode.id());
        }
        boolean daemon = PeerIdentity.daemon(user).isPresent();
        return daemon ? "unproved " + user : user;
    }
}

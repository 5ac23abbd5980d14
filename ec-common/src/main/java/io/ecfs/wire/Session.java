package io.ecfs.wire;

import io.ecfs.message.Address;
import io.ecfs.message.FeatureLevel;
import java.util.List;
import java.util.Objects;

/**
 * Who is at the other end of a connection, as said in its greeting and believed as in HDFS's simple authentication.
 *
 * @param remote address the connection comes from
 * @param groups of the user, first the primary one
 * @param role what the caller is: {@code client}, {@code datanode dn3} …
 * @param clusterId the cluster the caller means; empty when it only knows an address
 * @param takesFiles whether answers may hold bytes of files; not where they must be encrypted on their way
 * @param featureLevel the lower one of the levels of its two ends: nothing above it is sent here
 */
public record Session(
        Address remote,
        String user,
        List<String> groups,
        String role,
        String clusterId,
        boolean takesFiles,
        int featureLevel) {
    /** Of two ends of this release. */
    public Session(
            Address remote, String user, List<String> groups, String role, String clusterId, boolean takesFiles) {
        this(remote, user, groups, role, clusterId, takesFiles, FeatureLevel.RELEASE);
    }

    public Session {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(clusterId, "clusterId");
        groups = List.copyOf(groups);
    }
}

package io.ecfs.namenode.log;

import io.ecfs.env.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;

/**
 * Identity of a log. {@code ecfs namenode format} draws both; a state that is restored from a backup has the cluster's
 * id and a log of a new identity. Namenodes exchange votes and entries only within one identity: two logs may have
 * equal terms and indexes and hold different entries.
 * @param clusterId of the cluster, for ever
 * @param log names the Raft group
 */
public record LogIdentity(String clusterId, UUID log) {
    public LogIdentity {
        Objects.requireNonNull(clusterId, "clusterId");
        Objects.requireNonNull(log, "log");
        if (clusterId.isEmpty()) {
            throw new IllegalArgumentException("a log belongs to a cluster with an id");
        }
    }

    /** Of a new log of a cluster. */
    public static LogIdentity draw(String clusterId, Randomness randomness) {
        return new LogIdentity(clusterId, randomness.uuid());
    }

    /** Of a cluster of 6e8d76b, before logs had identities: the same on all its namenodes. */
    public static LogIdentity ofCluster(String clusterId) {
        return new LogIdentity(
                clusterId,
                UUID.nameUUIDFromBytes(("ecfs log of cluster " + clusterId).getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return "log " + log + " of cluster " + clusterId;
    }
}

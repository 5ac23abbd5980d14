package io.ecfs.namenode.log.ratis;

import io.ecfs.message.Address;
import io.ecfs.namenode.log.LogIdentity;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * This namenode among its peers. All members are configured alike; a group of one is a cluster without redundancy.
 * @param id of this namenode, a key of {@code peers}
 * @param log names the Raft group, so namenodes of two clusters, or of one formatted twice, never vote for or write to
 *     each other
 * @param peers namenode id → its Raft address; 1 to 9, usually 3
 * @param directory of the Raft log, the votes and the checkpoints; belongs to this namenode alone
 * @param tls when set, members use mutual TLS
 */
public record RaftMember(
        String id, LogIdentity log, Map<String, Address> peers, Path directory, Optional<RaftTls> tls) {
    private static final int MOST_PEERS = 9;

    public RaftMember {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(tls, "tls");
        peers = Collections.unmodifiableMap(new TreeMap<>(peers));
        if (!peers.containsKey(id)) {
            throw new IllegalArgumentException("namenode '" + id + "' is not among its peers " + peers.keySet());
        }
        if (peers.size() > MOST_PEERS) {
            throw new IllegalArgumentException(
                    "a log has at most " + MOST_PEERS + " namenodes, got " + peers.size() + ": " + peers.keySet());
        }
        if (peers.values().stream().distinct().count() != peers.size()) {
            throw new IllegalArgumentException("two namenodes share one Raft address: " + peers);
        }
    }

    /** PEM files: PKCS#8 key, certificate chain with a subject alternative name, and the authority both sides trust. */
    public record RaftTls(Path key, Path certificates, Path authority) {
        public RaftTls {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(certificates, "certificates");
            Objects.requireNonNull(authority, "authority");
        }
    }
}

package io.ecfs.message;

import java.util.List;
import java.util.Objects;

/** The first words on a connection: who calls whom. Everything else is refused until they are said. */
public sealed interface Greeting extends Message {
    /** Version of frames and messages; peers of another version refuse each other by name. */
    int PROTOCOL_VERSION = 2;

    /**
     * @param clusterId the cluster the caller means; empty when it only knows an address
     * @param user who calls, trusted as in HDFS's simple authentication
     * @param groups of the user, first the primary one
     * @param role what the caller is, for logs: {@code client}, {@code datanode dn3} …
     */
    record Hello(int protocolVersion, String clusterId, String user, List<String> groups, String role)
            implements Greeting {
        public Hello {
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(role, "role");
            groups = List.copyOf(groups);
        }
    }

    /** @param role what answers: {@code namenode nn0}, {@code datanode dn3} */
    record Welcome(int protocolVersion, String clusterId, String role) implements Greeting {
        public Welcome {
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(role, "role");
        }
    }
}

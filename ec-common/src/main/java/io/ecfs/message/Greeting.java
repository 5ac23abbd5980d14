package io.ecfs.message;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The first words on a connection: who calls whom. Everything else is refused until they are said. */
public sealed interface Greeting extends Message {
    /** Version of frames and messages; peers of another version refuse each other by name. */
    int PROTOCOL_VERSION = 2;

    /**
     * @param clusterId the cluster the caller means; empty when it only knows an address
     * @param user who calls, trusted as in HDFS's simple authentication
     * @param groups of the user, first the primary one
     * @param role what the caller is, for logs: {@code client}, {@code datanode dn3} …
     * @param featureLevel the highest that the caller understands ({@link FeatureLevel}); releases before levels do not say
     */
    record Hello(
            int protocolVersion,
            String clusterId,
            String user,
            List<String> groups,
            String role,
            Optional<Integer> featureLevel)
            implements Greeting {
        /** Of this release. */
        public Hello(int protocolVersion, String clusterId, String user, List<String> groups, String role) {
            this(protocolVersion, clusterId, user, groups, role, Optional.of(FeatureLevel.RELEASE));
        }

        public Hello {
            Objects.requireNonNull(featureLevel, "featureLevel");
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(role, "role");
            groups = List.copyOf(groups);
        }
    }

    /**
     * @param role what answers: {@code namenode nn0}, {@code datanode dn3}
     * @param featureLevel the highest that it understands; releases before levels do not say
     */
    record Welcome(int protocolVersion, String clusterId, String role, Optional<Integer> featureLevel)
            implements Greeting {
        /** Of this release. */
        public Welcome(int protocolVersion, String clusterId, String role) {
            this(protocolVersion, clusterId, role, Optional.of(FeatureLevel.RELEASE));
        }

        public Welcome {
            Objects.requireNonNull(featureLevel, "featureLevel");
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(role, "role");
        }
    }

    /** The feature level of a connection: the lower one of its two ends. Nothing above it is sent there. */
    static int commonLevel(Hello hello, Welcome welcome) {
        return Math.min(
                hello.featureLevel().orElse(FeatureLevel.NONE),
                welcome.featureLevel().orElse(FeatureLevel.NONE));
    }
}

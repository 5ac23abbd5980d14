package io.ecfs.message;

import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The first words on a connection: who calls whom. Everything else is refused until they are said. Two daemons prove to
 * each other, after {@code Hello} and {@code Welcome} with a nonce of each, that they have the cluster's join token
 * ({@link io.ecfs.token.JoinToken}).
 */
public sealed interface Greeting extends Message {
    /** Version of frames and messages; peers of another version refuse each other by name. */
    int PROTOCOL_VERSION = 2;
    /** Characters of a nonce or proof: 32 bytes, hexadecimal. */
    int PROOF_DIGITS = 64;

    /**
     * @param clusterId the cluster the caller means; empty when it only knows an address
     * @param user who calls, trusted as in HDFS's simple authentication
     * @param groups of the user, for namenodes of feature level 1, which believe them; others find groups out by
     *     themselves
     * @param role what the caller is, for logs: {@code client}, {@code datanode dn3} …
     * @param featureLevel the highest that the caller understands ({@link FeatureLevel}); releases before levels do not
     *     say
     * @param nonce of a daemon that has the join token; none from users, and from releases of level 1
     */
    record Hello(
            int protocolVersion,
            String clusterId,
            String user,
            List<String> groups,
            String role,
            Optional<Integer> featureLevel,
            Optional<String> nonce)
            implements Greeting {
        /** Of this release, without a proof. */
        public Hello(int protocolVersion, String clusterId, String user, List<String> groups, String role) {
            this(protocolVersion, clusterId, user, groups, role, Optional.of(FeatureLevel.RELEASE), Optional.empty());
        }

        public Hello {
            requireHex(nonce);
            Objects.requireNonNull(featureLevel, "featureLevel");
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(role, "role");
            groups = List.copyOf(groups);
        }

        public Hello with(String drawn) {
            return new Hello(protocolVersion, clusterId, user, groups, role, featureLevel, Optional.of(drawn));
        }
    }

    /**
     * @param role what answers: {@code namenode nn0}, {@code datanode dn3}
     * @param featureLevel the highest that it understands; releases before levels do not say
     * @param nonce where the caller said one, of a server that has the join token: {@link Prove} is due then
     */
    record Welcome(
            int protocolVersion, String clusterId, String role, Optional<Integer> featureLevel, Optional<String> nonce)
            implements Greeting {
        /** Of this release, without a proof. */
        public Welcome(int protocolVersion, String clusterId, String role) {
            this(protocolVersion, clusterId, role, Optional.of(FeatureLevel.RELEASE), Optional.empty());
        }

        public Welcome {
            requireHex(nonce);
            Objects.requireNonNull(featureLevel, "featureLevel");
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(role, "role");
        }

        public Welcome with(String drawn) {
            return new Welcome(protocolVersion, clusterId, role, featureLevel, Optional.of(drawn));
        }
    }

    /** The caller's proof, which the server answers by its own: {@link Proved}. */
    record Prove(String proof) implements Greeting {
        public Prove {
            requireHex(Optional.of(proof));
        }
    }

    /** The server's proof, after the caller's was accepted. */
    record Proved(String proof) implements Greeting {
        public Proved {
            requireHex(Optional.of(proof));
        }
    }

    private static void requireHex(Optional<String> bytes) {
        if (bytes.isPresent()
                && (bytes.get().length() != PROOF_DIGITS || !bytes.get().chars().allMatch(HexFormat::isHexDigit))) {
            throw new IllegalArgumentException("a nonce or proof has " + PROOF_DIGITS + " hexadecimal digits");
        }
    }

    /** The feature level of a connection: the lower one of its two ends. Nothing above it is sent there. */
    static int commonLevel(Hello hello, Welcome welcome) {
        return Math.min(
                hello.featureLevel().orElse(FeatureLevel.NONE),
                welcome.featureLevel().orElse(FeatureLevel.NONE));
    }
}

package io.ecfs.wire.tls;

import io.ecfs.env.Randomness;
import io.ecfs.token.JoinToken;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Proof of one end of a connection that it is a daemon of the cluster, and the proof that it requires of the other.
 *
 * @param token empty: it proves nothing, and cannot check proofs
 * @param randomness good enough for keys
 * @param required whether a client talks only to servers that prove the token, and whether a server takes a caller's
 *     unproved word that it is a daemon, as releases of level 1 give it; may change while connections are open
 */
public record PeerProof(Optional<JoinToken> token, Randomness randomness, BooleanSupplier required) {
    /** Of what has no token and asks for none. */
    public static final PeerProof NONE =
            new PeerProof(Optional.empty(), Randomness.over(PeerProof::noNonce), () -> false);

    public PeerProof {
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(randomness, "randomness");
        Objects.requireNonNull(required, "required");
    }

    public String nonce() {
        return HexFormat.of().formatHex(randomness.bytes(JoinToken.BYTES));
    }

    private static long noNonce() {
        throw new IllegalStateException("no nonce is drawn without a join token");
    }
}

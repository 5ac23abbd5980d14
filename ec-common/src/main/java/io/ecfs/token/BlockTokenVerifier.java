package io.ecfs.token;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.TokenKey;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Checks tokens against the keys received last. Safe for use by several threads. */
public final class BlockTokenVerifier {
    private final Clock clock;
    private final AtomicReference<Map<Integer, TokenSigner>> keys = new AtomicReference<>(Map.of());

    public BlockTokenVerifier(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** Replaces all keys; an empty list changes nothing, since a namenode that knows no key yet takes none away. */
    public void keys(List<TokenKey> now) {
        if (!now.isEmpty()) {
            keys.set(now.stream()
                    .map(TokenSigner::new)
                    .collect(Collectors.toUnmodifiableMap(
                            signer -> signer.key().id(), Function.identity(), (a, b) -> b)));
        }
    }

    /**
     * Passes when the token was signed by a known key, is for this group, gives the right, and has not expired.
     *
     * @throws EcfsException {@code TOKEN_REFUSED} with the first reason found; it never says more than the holder knows
     */
    public void require(BlockToken token, GroupId group, Right right) throws EcfsException {
        TokenSigner signer = keys.get().get(token.keyId());
        if (signer == null) {
            throw refused(
                    group, "its key " + token.keyId() + " is not known here (rolled away, or of another cluster)");
        }
        byte[] signature = signer.signature(token.group(), token.stamp(), token.right(), token.expiresAtMillis());
        if (!MessageDigest.isEqual(signature, token.signature())) {
            throw refused(group, "its signature is wrong");
        }
        if (!token.group().equals(group)) {
            throw refused(group, "it is for " + token.group());
        }
        if (right == Right.WRITE && token.right() != Right.WRITE) {
            throw refused(group, "it allows reading only");
        }
        long now = clock.epochMillis();
        if (now >= token.expiresAtMillis() || now >= signer.key().expiresAtMillis()) {
            throw refused(group, "it expired; ask the namenode for the file's locations again");
        }
    }

    private static EcfsException refused(GroupId group, String reason) {
        return new EcfsException(ErrorCode.TOKEN_REFUSED, "block token for " + group + " refused: " + reason);
    }
}

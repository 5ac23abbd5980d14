package io.ecfs.token;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.datanode.TokenKey;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Signs block tokens and relay tokens with one key: {@link Hmac} over what {@link TokenForm} and {@link RelayForm}
 * give. Safe for use by several threads.
 */
public final class TokenSigner {
    private static final byte[] UNSIGNED = new byte[BlockToken.SIGNATURE_BYTES];

    private final TokenKey key;
    private final Hmac hmac;

    public TokenSigner(TokenKey key) {
        this.key = Objects.requireNonNull(key, "key");
        this.hmac = new Hmac(key.secret());
    }

    public TokenKey key() {
        return key;
    }

    /**
     * @param scope empty: a token of version 1
     * @param expiresAtMillis milliseconds since the epoch; the caller keeps it within the key's life
     */
    public BlockToken sign(GroupId group, int stamp, Right right, Optional<Scope> scope, long expiresAtMillis) {
        BlockToken unsigned = new BlockToken(group, stamp, right, expiresAtMillis, key.id(), scope, UNSIGNED);
        return new BlockToken(group, stamp, right, expiresAtMillis, key.id(), scope, signature(unsigned));
    }

    /**
     * Signs that a datanode may write these chunks for the principal.
     *
     * @param policy of the group
     * @param targets of one group, by growing index
     * @param expiresAtMillis as in {@link #sign}
     */
    public RelayToken signRelay(
            String cluster,
            GroupId group,
            int stamp,
            String principal,
            Policy policy,
            List<RelayTarget> targets,
            long expiresAtMillis) {
        RelayToken unsigned = new RelayToken(group, stamp, expiresAtMillis, key.id(), UNSIGNED);
        return new RelayToken(
                group, stamp, expiresAtMillis, key.id(), relaySignature(unsigned, cluster, principal, policy, targets));
    }

    byte[] relaySignature(
            RelayToken token, String cluster, String principal, Policy policy, List<RelayTarget> targets) {
        return hmac.sign(RelayForm.signed(token, cluster, principal, policy, targets));
    }

    byte[] signature(BlockToken token) {
        return hmac.sign(TokenForm.signed(token));
    }
}

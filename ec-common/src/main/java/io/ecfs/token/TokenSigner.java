package io.ecfs.token;

import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import io.ecfs.message.datanode.TokenKey;
import java.util.Objects;
import java.util.Optional;

/**
 * Signs block tokens with one key: {@link Hmac} over what {@link TokenForm} gives. Safe for use by several threads.
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

    byte[] signature(BlockToken token) {
        return hmac.sign(TokenForm.signed(token));
    }
}

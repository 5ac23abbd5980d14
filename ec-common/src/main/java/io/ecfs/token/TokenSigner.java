package io.ecfs.token;

import io.ecfs.layout.GroupId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.BlockToken.Scope;
import io.ecfs.message.TokenKey;
import java.security.GeneralSecurityException;
import java.util.Objects;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs block tokens with one key: HMAC-SHA256 (RFC 2104) over what {@link TokenForm} gives. The key is hashed in once, and each signature begins
 * from a copy of that: to find an implementation and give it the key takes longer than to sign. Safe for use by several threads.
 */
public final class TokenSigner {
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] UNSIGNED = new byte[BlockToken.SIGNATURE_BYTES];

    private final TokenKey key;
    private final Mac keyed; // only ever copied

    public TokenSigner(TokenKey key) {
        this.key = Objects.requireNonNull(key, "key");
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key.secret(), ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
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
        try {
            return ((Mac) keyed.clone()).doFinal(TokenForm.signed(token));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(ALGORITHM + " of this JDK cannot be copied", e);
        }
    }
}

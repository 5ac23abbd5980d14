package io.ecfs.token;

import io.ecfs.layout.GroupId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.TokenKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs block tokens with one key: HMAC-SHA256 (RFC 2104) over group, stamp, right, expiry and key id, in that order, big endian. The key is hashed
 * in once, and each signature begins from a copy of that: to find an implementation and give it the key takes longer than to sign. Safe for
 * use by several threads.
 */
public final class TokenSigner {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SIGNED_BYTES = Long.BYTES + Integer.BYTES + 1 + Long.BYTES + Integer.BYTES;

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

    /** @param expiresAtMillis milliseconds since the epoch; the caller keeps it within the key's life */
    public BlockToken sign(GroupId group, int stamp, Right right, long expiresAtMillis) {
        return new BlockToken(
                group, stamp, right, expiresAtMillis, key.id(), signature(group, stamp, right, expiresAtMillis));
    }

    byte[] signature(GroupId group, int stamp, Right right, long expiresAtMillis) {
        byte[] signed = ByteBuffer.allocate(SIGNED_BYTES)
                .putLong(group.value())
                .putInt(stamp)
                .put(code(right))
                .putLong(expiresAtMillis)
                .putInt(key.id())
                .array();
        try {
            return ((Mac) keyed.clone()).doFinal(signed);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(ALGORITHM + " of this JDK cannot be copied", e);
        }
    }

    private static byte code(Right right) {
        return switch (right) {
            case READ -> 1;
            case WRITE -> 2;
        };
    }
}

package io.ecfs.token;

import io.ecfs.layout.GroupId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.TokenKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes block tokens: HMAC-SHA256 (RFC 2104) over group, right, expiry and key id, in that order, big endian. */
public final class BlockTokens {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SIGNED_BYTES = Long.BYTES + 1 + Long.BYTES + Integer.BYTES;

    private BlockTokens() {}

    /** @param expiresAtMillis milliseconds since the epoch; the caller keeps it within the key's life */
    public static BlockToken sign(TokenKey key, GroupId group, Right right, long expiresAtMillis) {
        return new BlockToken(group, right, expiresAtMillis, key.id(), signature(key, group, right, expiresAtMillis));
    }

    static byte[] signature(TokenKey key, GroupId group, Right right, long expiresAtMillis) {
        byte[] signed = ByteBuffer.allocate(SIGNED_BYTES)
                .putLong(group.value())
                .put(code(right))
                .putLong(expiresAtMillis)
                .putInt(key.id())
                .array();
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.secret(), ALGORITHM));
            return mac.doFinal(signed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private static byte code(Right right) {
        return switch (right) {
            case READ -> 1;
            case WRITE -> 2;
        };
    }
}

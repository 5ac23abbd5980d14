package io.ecfs.token;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 (RFC 2104) with one secret. The secret is hashed in once, and each signature begins from a copy of that:
 * to find an implementation and give it the secret takes longer than to sign. Safe for use by several threads.
 */
final class Hmac {
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac keyed; // only ever copied

    Hmac(byte[] secret) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    byte[] sign(byte[] message) {
        try {
            return ((Mac) keyed.clone()).doFinal(message);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(ALGORITHM + " of this JDK cannot be copied", e);
        }
    }
}

package io.ecfs.message.datanode;

import java.util.Arrays;
import java.util.Objects;

/**
 * One of the rolling secrets behind block tokens. Datanodes receive it with their heartbeats.
 *
 * @param expiresAtMillis when tokens signed with it stop being valid, milliseconds since the epoch
 */
public record TokenKey(int id, byte[] secret, long expiresAtMillis) {
    public static final int SECRET_BYTES = 32;

    public TokenKey {
        if (secret.length != SECRET_BYTES) {
            throw new IllegalArgumentException("token key must have " + SECRET_BYTES + " bytes, got " + secret.length);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenKey that
                && id == that.id
                && expiresAtMillis == that.expiresAtMillis
                && Arrays.equals(secret, that.secret);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, expiresAtMillis, Arrays.hashCode(secret));
    }

    @Override
    public String toString() {
        return "TokenKey[" + id + " until=" + expiresAtMillis + "]";
    }
}

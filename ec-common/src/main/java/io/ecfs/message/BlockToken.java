package io.ecfs.message;

import io.ecfs.layout.GroupId;
import java.util.Arrays;
import java.util.Objects;

/**
 * The namenode's permission to touch the chunks of one group (HDFS: block access token). The secret key is shared by namenodes
 * and datanodes; {@code io.ecfs.token} signs and verifies.
 *
 * @param stamp of the group: what has its number and another stamp are chunks of another group, from before the namenodes' state was rolled back
 * @param expiresAtMillis milliseconds since the epoch
 * @param keyId which of the rolling keys signed it
 * @param signature HMAC-SHA256 over all the other fields
 */
public record BlockToken(GroupId group, int stamp, Right right, long expiresAtMillis, int keyId, byte[] signature) {
    public static final int SIGNATURE_BYTES = 32;

    /** What the holder may do; {@link #WRITE} includes reading. */
    public enum Right {
        READ,
        WRITE
    }

    public BlockToken {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(right, "right");
        if (signature.length != SIGNATURE_BYTES) {
            throw new IllegalArgumentException(
                    "token signature must have " + SIGNATURE_BYTES + " bytes, got " + signature.length);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockToken that
                && group.equals(that.group)
                && stamp == that.stamp
                && right == that.right
                && expiresAtMillis == that.expiresAtMillis
                && keyId == that.keyId
                && Arrays.equals(signature, that.signature);
    }

    @Override
    public int hashCode() {
        return Objects.hash(group, stamp, right, expiresAtMillis, keyId, Arrays.hashCode(signature));
    }

    /** Leaves the signature out: a log is no place for a credential. */
    @Override
    public String toString() {
        return "BlockToken[" + group + " " + right + " until=" + expiresAtMillis + " key=" + keyId + "]";
    }
}

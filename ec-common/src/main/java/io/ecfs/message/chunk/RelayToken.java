package io.ecfs.message.chunk;

import io.ecfs.layout.GroupId;
import java.util.Arrays;
import java.util.Objects;

/**
 * The namenode's word that a datanode may write the chunks of one open group, at these addresses and no others, for the
 * group's writer. The signature is over cluster, principal and {@link RelayTarget targets} too, which are not in it:
 * who checks it knows its cluster and its caller, and is told the targets. {@code io.ecfs.token} signs and verifies.
 *
 * @param stamp of the group, as in {@link BlockToken}
 * @param expiresAtMillis milliseconds since the epoch
 * @param keyId which of the keys of block tokens signed it
 * @param signature HMAC-SHA256
 */
public record RelayToken(GroupId group, int stamp, long expiresAtMillis, int keyId, byte[] signature) {
    public RelayToken {
        Objects.requireNonNull(group, "group");
        if (signature.length != BlockToken.SIGNATURE_BYTES) {
            throw new IllegalArgumentException("signature of a relay token must have " + BlockToken.SIGNATURE_BYTES
                    + " bytes, got " + signature.length);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RelayToken that
                && group.equals(that.group)
                && stamp == that.stamp
                && expiresAtMillis == that.expiresAtMillis
                && keyId == that.keyId
                && Arrays.equals(signature, that.signature);
    }

    @Override
    public int hashCode() {
        return Objects.hash(group, stamp, expiresAtMillis, keyId, Arrays.hashCode(signature));
    }

    /** Leaves the signature out: a log is no place for a credential. */
    @Override
    public String toString() {
        return "RelayToken[" + group + " until=" + expiresAtMillis + " key=" + keyId + "]";
    }
}

package io.ecfs.message.chunk;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * The namenode's permission to touch the chunks of one group (HDFS: block access token). The secret key is shared by
 * namenodes and datanodes; {@code io.ecfs.token} signs and verifies.
 *
 * @param stamp of the group: what has its number and another stamp are chunks of another group, from before the
 *     namenodes' state was rolled back
 * @param expiresAtMillis milliseconds since the epoch
 * @param keyId which of the rolling keys signed it
 * @param scope empty in tokens of version 1, which open every chunk of their group for every user
 *     ({@link FeatureLevel#BOUND_TOKENS})
 * @param signature HMAC-SHA256 over all the other fields
 */
public record BlockToken(
        GroupId group,
        int stamp,
        Right right,
        long expiresAtMillis,
        int keyId,
        Optional<Scope> scope,
        byte[] signature) {
    public static final int SIGNATURE_BYTES = 32;

    /** Right of the token's holder; {@link #WRITE} includes reading. */
    public enum Right {
        READ,
        WRITE
    }

    /**
     * Scope of a token of version 2.
     *
     * @param cluster id of the cluster
     * @param index of the chunk that it opens, or {@link #ANY}
     * @param generation of the chunks that it opens, or {@link #ANY}
     * @param fromByte of the chunk bytes [fromByte, toByte) that it opens
     * @param principal who may use it: a user, or {@code datanode NAME}
     */
    public record Scope(String cluster, int index, int generation, long fromByte, long toByte, String principal) {
        /** Of chunks: every one. */
        public static final int ANY = -1;

        private static final int MOST_TEXT_BYTES = 255;

        public Scope {
            if (index < ANY || generation < ANY || fromByte < 0 || toByte <= fromByte) {
                throw new IllegalArgumentException("no chunk has index " + index + ", generation " + generation
                        + " and bytes [" + fromByte + ", " + toByte + ")");
            }
            requireShort("cluster", cluster);
            requireShort("principal", principal);
        }

        /** All bytes of every chunk of a generation. */
        public static Scope ofGroup(String cluster, int generation, String principal) {
            return new Scope(cluster, ANY, generation, 0, Long.MAX_VALUE, principal);
        }

        /** The principal that a datanode is, once it has proved which one it is. */
        public static String principalOf(DatanodeId datanode) {
            return "datanode " + datanode;
        }

        /** Returns whether it names this chunk. */
        public boolean opens(ChunkId chunk) {
            return (index == ANY || index == chunk.index()) && (generation == ANY || generation == chunk.generation());
        }

        private static void requireShort(String name, String text) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes == 0 || bytes > MOST_TEXT_BYTES) {
                throw new IllegalArgumentException(
                        "the " + name + " of a token must have 1 to " + MOST_TEXT_BYTES + " bytes, got " + bytes);
            }
        }
    }

    public BlockToken {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(right, "right");
        Objects.requireNonNull(scope, "scope");
        if (signature.length != SIGNATURE_BYTES) {
            throw new IllegalArgumentException(
                    "token signature must have " + SIGNATURE_BYTES + " bytes, got " + signature.length);
        }
    }

    /** Of version 1. */
    public BlockToken(GroupId group, int stamp, Right right, long expiresAtMillis, int keyId, byte[] signature) {
        this(group, stamp, right, expiresAtMillis, keyId, Optional.empty(), signature);
    }

    /**
     * The token for messages of level 2; empty for a token of version 1, which is sent only to open or read a chunk.
     */
    public Optional<BlockToken> bound() {
        return scope.isPresent() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockToken that
                && group.equals(that.group)
                && stamp == that.stamp
                && right == that.right
                && expiresAtMillis == that.expiresAtMillis
                && keyId == that.keyId
                && scope.equals(that.scope)
                && Arrays.equals(signature, that.signature);
    }

    @Override
    public int hashCode() {
        return Objects.hash(group, stamp, right, expiresAtMillis, keyId, scope, Arrays.hashCode(signature));
    }

    /** Leaves the signature out: a log is no place for a credential. */
    @Override
    public String toString() {
        return "BlockToken[" + group + " " + right
                + scope.map(bound -> " " + bound).orElse("") + " until=" + expiresAtMillis + " key=" + keyId + "]";
    }
}

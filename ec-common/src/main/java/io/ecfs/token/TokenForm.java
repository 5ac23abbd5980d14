package io.ecfs.token;

import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The bytes of a block token, big endian.
 *
 * <pre>
 *   version 2 = u8 0x82 | text cluster | u64 group | u32 stamp | i32 index (-1: any) | i32 generation (-1: any)
 *               | u64 from byte | u64 to byte | u8 right (1 read, 2 write) | text principal | u64 expiry ms | u32 key
 *               | 32 bytes HMAC-SHA256 over all before it
 *   text      = u8 bytes | UTF-8
 *   version 1 = u64 group | u32 stamp | u8 right (0 read, 1 write) | u64 expiry ms | u32 key
 *               | 32 bytes HMAC-SHA256 over group | stamp | u8 right (1 read, 2 write) | expiry | key
 * </pre>
 *
 * The first byte tells them apart: a group's number is positive. What is signed of one version is never what is signed
 * of the other: that of version 1 is shorter than any of version 2.
 */
public final class TokenForm {
    private static final byte VERSION_2 = (byte) 0x82;
    private static final int FIXED_1 = Long.BYTES + Integer.BYTES + 1 + Long.BYTES + Integer.BYTES;
    private static final int FIXED_2 = 1 + 2 + FIXED_1 + 2 * Integer.BYTES + 2 * Long.BYTES;

    /** More than a token has. */
    public static final int MOST_BYTES = 1024;

    private TokenForm() {}

    /** As it travels. */
    public static byte[] bytes(BlockToken token) {
        byte[] head = token.scope().isPresent() ? signed(token) : fields1(token, rightOf(token) - 1);
        return ByteBuffer.allocate(head.length + BlockToken.SIGNATURE_BYTES)
                .put(head)
                .put(token.signature())
                .array();
    }

    /**
     * Reads the next token.
     *
     * @throws IllegalArgumentException or java.nio.BufferUnderflowException for what is none
     */
    public static BlockToken read(ByteBuffer in) {
        return in.get(in.position()) < 0 ? read2(in) : read1(in);
    }

    /** Bytes that are signed. */
    static byte[] signed(BlockToken token) {
        return token.scope().map(scope -> fields2(token, scope)).orElseGet(() -> fields1(token, rightOf(token)));
    }

    private static byte[] fields1(BlockToken token, int right) {
        return ByteBuffer.allocate(FIXED_1)
                .putLong(token.group().value())
                .putInt(token.stamp())
                .put((byte) right)
                .putLong(token.expiresAtMillis())
                .putInt(token.keyId())
                .array();
    }

    private static byte[] fields2(BlockToken token, Scope scope) {
        byte[] cluster = scope.cluster().getBytes(StandardCharsets.UTF_8);
        byte[] principal = scope.principal().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED_2 + cluster.length + principal.length)
                .put(VERSION_2)
                .put((byte) cluster.length)
                .put(cluster)
                .putLong(token.group().value())
                .putInt(token.stamp())
                .putInt(scope.index())
                .putInt(scope.generation())
                .putLong(scope.fromByte())
                .putLong(scope.toByte())
                .put((byte) rightOf(token))
                .put((byte) principal.length)
                .put(principal)
                .putLong(token.expiresAtMillis())
                .putInt(token.keyId())
                .array();
    }

    private static BlockToken read1(ByteBuffer in) {
        GroupId group = new GroupId(in.getLong());
        int stamp = in.getInt();
        Right right = right(in.get() + 1);
        return new BlockToken(group, stamp, right, in.getLong(), in.getInt(), Optional.empty(), signature(in));
    }

    private static BlockToken read2(ByteBuffer in) {
        byte version = in.get();
        if (version != VERSION_2) {
            throw new IllegalArgumentException("block token of version " + (version & 0x7f) + ": 1 and 2 are known");
        }
        String cluster = text(in);
        GroupId group = new GroupId(in.getLong());
        int stamp = in.getInt();
        int index = in.getInt();
        int generation = in.getInt();
        long from = in.getLong();
        long to = in.getLong();
        Right right = right(in.get());
        Scope scope = new Scope(cluster, index, generation, from, to, text(in));
        return new BlockToken(group, stamp, right, in.getLong(), in.getInt(), Optional.of(scope), signature(in));
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[in.get() & 0xff];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] signature(ByteBuffer in) {
        byte[] signature = new byte[BlockToken.SIGNATURE_BYTES];
        in.get(signature);
        return signature;
    }

    private static int rightOf(BlockToken token) {
        return switch (token.right()) {
            case READ -> 1;
            case WRITE -> 2;
        };
    }

    private static Right right(int code) {
        return switch (code) {
            case 1 -> Right.READ;
            case 2 -> Right.WRITE;
            default -> throw new IllegalArgumentException("no right of a block token has the number " + code);
        };
    }
}

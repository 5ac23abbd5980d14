package io.ecfs.token;

import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The bytes of a relay token that are signed, big endian.
 *
 * <pre>
 *   signed  = text "ecfs relay token 1" | text cluster | u64 group | u32 stamp | text principal | u64 expiry ms
 *             | u32 key | 32 bytes SHA-256 over targets
 *   targets = text policy | u32 number of them
 *             | each, by growing index: u64 group | u32 index | u32 generation | text host | u32 port
 *   text    = u32 bytes | UTF-8
 * </pre>
 *
 * It begins with a zero byte and is longer than what is signed of a block token of version 1; those of version 2 begin
 * with another byte. So neither is a signature of the other, though the keys are the same.
 */
final class RelayForm {
    private static final byte[] DOMAIN = utf8("ecfs relay token 1");
    private static final String DIGEST = "SHA-256";
    private static final int FIXED = 3 * Integer.BYTES + 2 * Long.BYTES + 2 * Integer.BYTES + 32;
    private static final int FIXED_OF_TARGET = Long.BYTES + 4 * Integer.BYTES;

    private RelayForm() {}

    static byte[] signed(RelayToken token, String cluster, String principal, Policy policy, List<RelayTarget> targets) {
        byte[] clusterText = utf8(cluster);
        byte[] principalText = utf8(principal);
        ByteBuffer out = ByteBuffer.allocate(FIXED + DOMAIN.length + clusterText.length + principalText.length);
        text(DOMAIN, out);
        text(clusterText, out);
        out.putLong(token.group().value()).putInt(token.stamp());
        text(principalText, out);
        out.putLong(token.expiresAtMillis()).putInt(token.keyId()).put(digest(policy, targets));
        return out.array();
    }

    private static byte[] digest(Policy policy, List<RelayTarget> targets) {
        MessageDigest digest = sha256();
        byte[] name = utf8(policy.name());
        ByteBuffer head = ByteBuffer.allocate(Integer.BYTES + name.length);
        text(name, head);
        digest.update(head.array());
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, targets.size()));
        for (RelayTarget target : targets) {
            byte[] host = utf8(target.address().host());
            ByteBuffer out = ByteBuffer.allocate(FIXED_OF_TARGET + host.length);
            out.putLong(target.chunk().group().value())
                    .putInt(target.chunk().index())
                    .putInt(target.chunk().generation());
            text(host, out);
            out.putInt(target.address().port());
            digest.update(out.array());
        }
        return digest.digest();
    }

    private static void text(byte[] utf8, ByteBuffer out) {
        out.putInt(utf8.length).put(utf8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance(DIGEST);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + DIGEST, e);
        }
    }
}

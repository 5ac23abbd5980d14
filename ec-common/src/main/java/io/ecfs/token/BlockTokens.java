package io.ecfs.token;

import io.ecfs.layout.GroupId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.TokenKey;

/** Makes single block tokens; whoever makes many keeps a {@link TokenSigner}. */
public final class BlockTokens {
    private BlockTokens() {}

    /** As {@link TokenSigner#sign}. */
    public static BlockToken sign(TokenKey key, GroupId group, int stamp, Right right, long expiresAtMillis) {
        return new TokenSigner(key).sign(group, stamp, right, expiresAtMillis);
    }
}

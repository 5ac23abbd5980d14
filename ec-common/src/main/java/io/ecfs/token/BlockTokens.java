package io.ecfs.token;

import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import io.ecfs.message.datanode.TokenKey;
import java.util.Optional;

/** Makes single block tokens; to make many, use one {@link TokenSigner}. */
public final class BlockTokens {
    private BlockTokens() {}

    /** A token of version 1; as {@link TokenSigner#sign}. */
    public static BlockToken sign(TokenKey key, GroupId group, int stamp, Right right, long expiresAtMillis) {
        return new TokenSigner(key).sign(group, stamp, right, Optional.empty(), expiresAtMillis);
    }

    /** A token of version 2; as {@link TokenSigner#sign}. */
    public static BlockToken sign(
            TokenKey key, GroupId group, int stamp, Right right, Scope scope, long expiresAtMillis) {
        return new TokenSigner(key).sign(group, stamp, right, Optional.of(scope), expiresAtMillis);
    }
}

package io.ecfs.namenode.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.TokenKey;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.token.BlockTokens;
import java.util.List;

/**
 * Signs block tokens with the newest key that every datanode has had time to receive. Owner thread: the namenode's event thread.
 */
final class TokenIssuer {
    private final Surroundings around;

    TokenIssuer(Surroundings around) {
        this.around = around;
    }

    /** @throws EcfsException {@code SAFE_MODE} before the cluster has its first key */
    BlockToken issue(GroupId group, Right right) throws EcfsException {
        List<TokenKey> keys;
        try (MetadataView view = around.facts().get()) {
            keys = view.tokenKeys();
        }
        if (keys.isEmpty()) {
            throw new EcfsException(
                    ErrorCode.SAFE_MODE, "the cluster has no key for block tokens yet: try again in a moment");
        }
        TokenKey key = signing(keys);
        long expires =
                Math.min(around.epochMillis() + around.settings().tokenLife().toMillis(), key.expiresAtMillis());
        return BlockTokens.sign(key, group, right, expires);
    }

    private TokenKey signing(List<TokenKey> keys) {
        long oldEnough = around.epochMillis()
                - around.settings().keyActivation().toMillis()
                + around.settings().keyLife().toMillis();
        TokenKey chosen = keys.get(0);
        for (TokenKey key : keys) {
            boolean active = key.expiresAtMillis() <= oldEnough;
            boolean usable = chosen.expiresAtMillis() > around.epochMillis();
            if (active || !usable) {
                chosen = key;
            }
        }
        return chosen;
    }
}

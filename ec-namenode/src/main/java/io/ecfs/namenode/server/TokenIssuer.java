package io.ecfs.namenode.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.TokenKey;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.token.TokenSigner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Signs block tokens with the newest key that every datanode has had time to receive. Owner thread: the namenode's event thread.
 */
final class TokenIssuer {
    /** Keys are rolled long before they are used: what they were so long ago serves as well. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    private final Surroundings around;
    private List<TokenKey> kept = List.of();
    private Optional<TokenSigner> signer = Optional.empty(); // of the last key that was used
    private long keptAt;

    TokenIssuer(Surroundings around) {
        this.around = around;
    }

    /** @throws EcfsException {@code SAFE_MODE} before the cluster has its first key */
    BlockToken issue(GroupFacts group, Right right) throws EcfsException {
        List<TokenKey> keys = keys();
        if (keys.isEmpty()) {
            throw new EcfsException(
                    ErrorCode.SAFE_MODE, "the cluster has no key for block tokens yet: try again in a moment");
        }
        TokenKey key = signing(keys);
        long expires =
                Math.min(around.epochMillis() + around.settings().tokenLife().toMillis(), key.expiresAtMillis());
        return signer(key).sign(group.group(), group.stamp(), right, expires);
    }

    private TokenSigner signer(TokenKey key) {
        if (signer.isEmpty() || !signer.get().key().equals(key)) {
            signer = Optional.of(new TokenSigner(key));
        }
        return signer.get();
    }

    private List<TokenKey> keys() {
        if (kept.isEmpty() || around.passed(KEPT, keptAt)) {
            try (MetadataView view = around.facts().get()) {
                kept = view.tokenKeys();
            }
            keptAt = around.nowMillis();
        }
        return kept;
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

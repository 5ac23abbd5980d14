package io.ecfs.namenode.leader;

import io.ecfs.message.datanode.TokenKey;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a new token key into the log when there is none, or when half the life of the newest has passed; so every
 * namenode signs and verifies with the same keys. Owner thread: the namenode's event thread.
 */
final class KeyRoller {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRoller.class);

    private final NamenodeContext context;
    private final Proposer proposer;
    private boolean rolling;

    KeyRoller(NamenodeContext context, Proposer proposer) {
        this.context = context;
        this.proposer = proposer;
    }

    void tick() {
        List<TokenKey> keys;
        try (MetadataView view = context.facts().get()) {
            if (rolling || view.identity().isEmpty()) {
                return;
            }
            keys = view.tokenKeys();
        }
        int last = keys.isEmpty() ? 0 : keys.get(keys.size() - 1).id();
        long lifeMillis = context.settings().keyLife().toMillis();
        long now = context.epochMillis();
        if (!keys.isEmpty() && keys.get(keys.size() - 1).expiresAtMillis() - now > lifeMillis / 2) {
            return;
        }
        rolling = true;
        byte[] secret = context.environment().randomness().bytes(TokenKey.SECRET_BYTES);
        proposer.propose(new Command.RollKeys(now, new TokenKey(last + 1, secret, now + lifeMillis)), outcome -> {
            rolling = false;
            LOG.info("event=token_key_rolled key={} ok={}", last + 1, outcome instanceof Outcome.Done);
        });
    }
}

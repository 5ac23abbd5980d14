package io.ecfs.datanode.server;

import io.ecfs.env.Clock;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import java.util.List;
import java.util.TreeMap;

/**
 * All token keys that any namenode sent, until they expire: a namenode that lags behind must not take away a key that
 * the leader signs with already. Owner thread: the control plane's.
 */
final class KeyRing {
    private final Clock clock;
    private final BlockTokenVerifier verifier;
    private final TreeMap<Integer, TokenKey> keys = new TreeMap<>();

    KeyRing(Clock clock, BlockTokenVerifier verifier) {
        this.clock = clock;
        this.verifier = verifier;
    }

    void add(List<TokenKey> sent) {
        boolean added = false;
        for (TokenKey key : sent) {
            added |= !key.equals(keys.put(key.id(), key));
        }
        if (added) {
            keys.values().removeIf(key -> key.expiresAtMillis() <= clock.epochMillis());
            verifier.keys(List.copyOf(keys.values()));
        }
    }
}

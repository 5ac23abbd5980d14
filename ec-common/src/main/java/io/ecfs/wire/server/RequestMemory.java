package io.ecfs.wire.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.message.Address;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.frame.Intake;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Memory of a server for the requests of all its connections. One address, and one user, gets at most a quarter of it,
 * so that no peer starves the others by announcing large frames; daemons with a proved identity have a part of their
 * own and wait for no user. Safe for use by several threads.
 */
final class RequestMemory {
    /** Divisor of the memory: one address or user gets one share. */
    private static final int SHARES = 4;
    /** Divisor of the users' memory for the additional part of daemons. */
    private static final int DAEMONS = 8;

    private final MemoryBudget users;
    private final MemoryBudget daemons;
    private final long shareBytes;

    @GuardedBy("itself")
    private final Map<String, Share> shares = new HashMap<>();

    RequestMemory(String name, WireOptions options) {
        long least = options.maxFrameBytes();
        this.users = new MemoryBudget(name, options.serverRequestBytes());
        this.daemons = new MemoryBudget(name + " of daemons", Math.max(least, options.serverRequestBytes() / DAEMONS));
        this.shareBytes = Math.max(least, options.serverRequestBytes() / SHARES);
    }

    /** Memory that several connections share. */
    private static final class Share {
        private final MemoryBudget budget;
        private int connections; // under the lock of the map

        Share(MemoryBudget budget) {
            this.budget = budget;
        }
    }

    long usedBytes() {
        return users.usedBytes() + daemons.usedBytes();
    }

    /** Intake of a connection of which only the address is known. */
    Intake stranger(Address remote) {
        return shared(List.of(addressKey(remote)));
    }

    /** Intake of a connection whose peer has stated, or proved, its identity. */
    Intake of(Session session) {
        return session.identity() instanceof PeerIdentity.User user
                ? shared(List.of("user " + user.name(), addressKey(session.remote())))
                : new Intake(List.of(daemons), () -> {});
    }

    /** Number of connections from this host; those of this machine are not counted. */
    int connectionsOf(InetAddress host) {
        if (host.isLoopbackAddress()) {
            return 0;
        }
        synchronized (shares) {
            Share share = shares.get("address " + host.getHostAddress());
            return share == null ? 0 : share.connections;
        }
    }

    private static String addressKey(Address remote) {
        return "address " + remote.host();
    }

    private Intake shared(List<String> keys) {
        MemoryBudget[] budgets = new MemoryBudget[keys.size() + 1];
        synchronized (shares) {
            for (int i = 0; i < keys.size(); i++) {
                Share share = shares.computeIfAbsent(
                        keys.get(i), key -> new Share(new MemoryBudget("requests of " + key, shareBytes)));
                share.connections++;
                budgets[i] = share.budget;
            }
        }
        budgets[keys.size()] = users;
        return new Intake(List.of(budgets), () -> forget(keys));
    }

    private void forget(List<String> keys) {
        synchronized (shares) {
            for (String key : keys) {
                shares.computeIfPresent(key, (same, share) -> --share.connections == 0 ? null : share);
            }
        }
    }
}

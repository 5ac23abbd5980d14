package io.ecfs.console.web.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows down who guesses passwords: after some failures an address has to wait, and after more of them, from whatever
 * addresses, so does everybody who tries that account; but not an address from which the account was logged in to
 * before, or a stranger could shut its owner out. Safe for use by several threads.
 */
final class LoginGuard {
    private static final int MOST_ACCOUNT_CHARACTERS = 64;

    private record Limit(int freeFailures, Duration penalty) {}

    private static final Limit ADDRESS = new Limit(8, Duration.ofSeconds(30));
    private static final Limit ACCOUNT = new Limit(24, Duration.ofMinutes(5));

    private record Failures(int count, long lastNanos) {}

    private record Login(String address, String account) {}

    /** The latest; what is older is forgotten. */
    private static final class Latest<K, V> extends LinkedHashMap<K, V> {
        private static final int MOST = 2000;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > MOST;
        }
    }

    private final Clock clock;

    @GuardedBy("this")
    private final Map<String, Failures> byAddress = new Latest<>();

    @GuardedBy("this")
    private final Map<String, Failures> byAccount = new Latest<>();

    @GuardedBy("this")
    private final Map<Login, Boolean> known = new Latest<>();

    LoginGuard(Clock clock) {
        this.clock = clock;
    }

    /**
     * True when an address may try a password of an account now. The attempt counts as a failure until
     * {@link #succeeded}, so that concurrent attempts all count.
     */
    synchronized boolean mayTry(String address, String account) {
        String name = bounded(account);
        return mayTry(byAddress, ADDRESS, address)
                && (known.containsKey(new Login(address, name)) || mayTry(byAccount, ACCOUNT, name));
    }

    private boolean mayTry(Map<String, Failures> failures, Limit limit, String key) {
        Failures before = failures.getOrDefault(key, new Failures(0, 0));
        boolean over = clock.nanos() - before.lastNanos() > limit.penalty().toNanos();
        if (!over && before.count() >= limit.freeFailures()) {
            return false;
        }
        failures.remove(key);
        failures.put(key, new Failures(over ? 1 : before.count() + 1, clock.nanos()));
        return true;
    }

    synchronized void succeeded(String address, String account) {
        String name = bounded(account);
        byAddress.remove(address);
        byAccount.remove(name);
        known.remove(new Login(address, name));
        known.put(new Login(address, name), true);
    }

    private static String bounded(String account) {
        return account.substring(0, Math.min(account.length(), MOST_ACCOUNT_CHARACTERS));
    }
}

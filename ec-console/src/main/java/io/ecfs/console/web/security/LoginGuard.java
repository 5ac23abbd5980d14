package io.ecfs.console.web.security;

import io.ecfs.env.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Slows down who guesses passwords: after some failures an address has to wait. Guarded by itself. */
final class LoginGuard {
    private static final int FREE_FAILURES = 8;
    private static final Duration PENALTY = Duration.ofSeconds(30);
    private static final int MOST_ADDRESSES = 2000;

    private record Failures(int count, long lastNanos) {}

    private final Clock clock;
    private final Map<String, Failures> byAddress = new LinkedHashMap<>();

    LoginGuard(Clock clock) {
        this.clock = clock;
    }

    /**
     * Whether an address may try a password now. It counts as a failure until {@link #succeeded}: many that are tried at the same time are
     * many.
     */
    synchronized boolean mayTry(String address) {
        Failures before = byAddress.getOrDefault(address, new Failures(0, 0));
        boolean over = clock.nanos() - before.lastNanos() > PENALTY.toNanos();
        if (!over && before.count() >= FREE_FAILURES) {
            return false;
        }
        count(address, over ? 1 : before.count() + 1);
        return true;
    }

    private void count(String address, int failures) {
        byAddress.remove(address);
        byAddress.put(address, new Failures(failures, clock.nanos()));
        if (byAddress.size() > MOST_ADDRESSES) {
            byAddress.remove(byAddress.keySet().iterator().next());
        }
    }

    synchronized void succeeded(String address) {
        byAddress.remove(address);
    }
}

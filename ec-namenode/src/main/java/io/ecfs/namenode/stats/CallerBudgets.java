package io.ecfs.namenode.stats;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Budgets of samples by caller: a token bucket for each user name. Several clients of one user share it. Bounded: the
 * caller that was silent for longest is evicted. Times are monotonic milliseconds.
 */
public final class CallerBudgets {
    private static final int MOST_CALLERS = 1_000;

    /** Stored length of a caller's name; longer ones with the same beginning share a budget. */
    private static final int MOST_LETTERS = 64;

    private static final double MILLIS = 1000;

    private final double aSecond;
    private final int atOnce;

    private final LinkedHashMap<String, Bucket> callers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_CALLERS;
        }
    };

    private record Bucket(double left, long atMillis) {}

    public CallerBudgets(double aSecond, int atOnce) {
        this.aSecond = aSecond;
        this.atOnce = atOnce;
    }

    /** @return how many of these are accepted; the others are dropped */
    public int take(String caller, int wanted, long nowMillis) {
        String name = caller.length() <= MOST_LETTERS ? caller : caller.substring(0, MOST_LETTERS);
        Bucket last = callers.getOrDefault(name, new Bucket(atOnce, nowMillis));
        double left = Math.min(atOnce, last.left() + aSecond * (nowMillis - last.atMillis()) / MILLIS);
        int taken = Math.min(wanted, (int) left);
        callers.put(name, new Bucket(left - taken, nowMillis));
        return taken;
    }

    /** Number of callers with a stored budget. */
    int callers() {
        return callers.size();
    }
}

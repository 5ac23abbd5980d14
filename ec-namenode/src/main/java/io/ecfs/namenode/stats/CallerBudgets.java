package io.ecfs.namenode.stats;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much each caller may say now: a token bucket for each user name. Several clients of one user share it. Bounded:
 * the caller that was not heard of longest is forgotten. Times are monotonic milliseconds.
 */
public final class CallerBudgets {
    private static final int MOST_CALLERS = 1_000;

    /** Of a caller's name; longer ones that begin alike share a budget. */
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

    /** @return how many of these are taken; the others are lost */
    public int take(String caller, int wanted, long nowMillis) {
        String name = caller.length() <= MOST_LETTERS ? caller : caller.substring(0, MOST_LETTERS);
        Bucket last = callers.getOrDefault(name, new Bucket(atOnce, nowMillis));
        double left = Math.min(atOnce, last.left() + aSecond * (nowMillis - last.atMillis()) / MILLIS);
        int taken = Math.min(wanted, (int) left);
        callers.put(name, new Bucket(left - taken, nowMillis));
        return taken;
    }

    /** Of whom something is remembered. */
    int callers() {
        return callers.size();
    }
}

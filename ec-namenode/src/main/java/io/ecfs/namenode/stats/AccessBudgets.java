package io.ecfs.namenode.stats;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many access sets each caller may tell now, so that nobody replaces the window with what one says: a token bucket for each user
 * name, of {@link #A_SECOND} sets, which is all that one client tells. Several clients of one user share it. Bounded: the caller that was not
 * heard of longest is forgotten. Times are monotonic milliseconds.
 */
final class AccessBudgets {
    static final int A_SECOND = 200;

    /** Two messages may come at once when the first one was late. */
    static final int AT_ONCE = 2 * A_SECOND;

    private static final int MOST_CALLERS = 1_000;

    /** Of a caller's name; longer ones that begin alike share a budget. */
    private static final int MOST_LETTERS = 64;

    private static final double MILLIS = 1000;

    private final LinkedHashMap<String, Bucket> callers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_CALLERS;
        }
    };

    private record Bucket(double sets, long atMillis) {}

    /** @return how many of these are taken; the others are lost */
    int take(String caller, int sets, long nowMillis) {
        String name = caller.length() <= MOST_LETTERS ? caller : caller.substring(0, MOST_LETTERS);
        Bucket last = callers.getOrDefault(name, new Bucket(AT_ONCE, nowMillis));
        double left = Math.min(AT_ONCE, last.sets() + A_SECOND * (nowMillis - last.atMillis()) / MILLIS);
        int taken = Math.min(sets, (int) left);
        callers.put(name, new Bucket(left - taken, nowMillis));
        return taken;
    }

    /** Of whom something is remembered. */
    int callers() {
        return callers.size();
    }
}

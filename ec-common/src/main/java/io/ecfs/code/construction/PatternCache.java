package io.ecfs.code.construction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A bounded map from a loss pattern to what was computed for it. Hits take no lock; a miss computes outside the lock
 * and then makes room by second chance (an entry that was hit since the hand last passed stays, the first that was not
 * goes).
 *
 * <p>Two threads that miss together may both compute; both get an equally good value.
 */
final class PatternCache<K, V> {
    private final int bound;
    private final ConcurrentHashMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
    /** The keys in the order the hand passes. Removals from the map are under its lock too. */
    @GuardedBy("itself")
    private final ArrayDeque<K> hand = new ArrayDeque<>();

    PatternCache(int bound) {
        this.bound = bound;
    }

    V get(K key, Function<K, V> compute) {
        Entry<V> hit = entries.get(key);
        if (hit != null) {
            hit.touch();
            return hit.value;
        }
        V value = compute.apply(key);
        synchronized (hand) {
            if (entries.putIfAbsent(key, new Entry<>(value)) == null) {
                hand.addLast(key);
                while (hand.size() > bound) {
                    advance();
                }
            }
        }
        return value;
    }

    @GuardedBy("hand")
    private void advance() {
        K oldest = hand.removeFirst();
        Entry<V> entry = entries.get(oldest);
        if (entry.touched) {
            entry.touched = false;
            hand.addLast(oldest);
        } else {
            entries.remove(oldest);
        }
    }

    int size() {
        return entries.size();
    }

    private static final class Entry<V> {
        private final V value;
        private volatile boolean touched;

        Entry(V value) {
            this.value = value;
        }

        void touch() {
            if (!touched) {
                touched = true;
            }
        }
    }
}

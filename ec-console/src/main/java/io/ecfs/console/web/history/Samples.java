package io.ecfs.console.web.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.console.view.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The latest samples of named series, all taken at the same times: a ring of {@code most} of them. A series without a
 * value at some time has NaN there, and is evicted when the whole ring is NaN. Safe for use by several threads.
 */
public final class Samples {
    private final int most;
    private final int mostSeries;

    @GuardedBy("this")
    private final long[] atMillis;

    @GuardedBy("this")
    private final Map<String, float[]> series = new TreeMap<>();

    @GuardedBy("this")
    private long taken;

    /**
     * @param most samples retained
     * @param mostSeries series retained; further ones are ignored
     */
    public Samples(int most, int mostSeries) {
        this.most = most;
        this.mostSeries = mostSeries;
        this.atMillis = new long[most];
    }

    int mostSeries() {
        return mostSeries;
    }

    public synchronized void add(long nowMillis, Map<String, Double> values) {
        int at = (int) (taken % most);
        atMillis[at] = nowMillis;
        for (String name : values.keySet()) {
            if (!series.containsKey(name) && series.size() < mostSeries) {
                float[] fresh = new float[most];
                java.util.Arrays.fill(fresh, Float.NaN);
                series.put(name, fresh);
            }
        }
        series.forEach(
                (name, ring) -> ring[at] = values.getOrDefault(name, Double.NaN).floatValue());
        taken++;
        if (taken % most == 0) {
            series.values().removeIf(Samples::empty);
        }
    }

    /**
     * Oldest first: {@code {"at": [millis…], "series": {name: [number or null…]}}}.
     *
     * @param prefixes only series whose name begins with one of them; all when there is none
     * @param points most points; of several in a row the greatest is taken, so that peaks stay
     */
    public synchronized ObjectNode json(List<String> prefixes, int points) {
        int retained = (int) Math.min(taken, most);
        int step = Math.max(1, (retained + points - 1) / points);
        ObjectNode json = Json.node();
        ArrayNode times = json.putArray("at");
        ObjectNode all = json.putObject("series");
        int first = (retained - 1) % step;
        for (int i = first; i < retained; i += step) {
            times.add(atMillis[index(retained, i)]);
        }
        series.forEach((name, ring) -> {
            if (prefixes.isEmpty() || prefixes.stream().anyMatch(name::startsWith)) {
                ArrayNode numbers = all.putArray(name);
                for (int i = first; i < retained; i += step) {
                    float value = greatest(ring, retained, Math.max(0, i - step + 1), i);
                    if (Float.isFinite(value)) {
                        numbers.add((double) value);
                    } else {
                        numbers.addNull();
                    }
                }
            }
        });
        return json;
    }

    /** The greatest of samples [from, to]; NaN when there is none. */
    @GuardedBy("this")
    private float greatest(float[] ring, int retained, int from, int to) {
        float most = Float.NaN;
        for (int i = from; i <= to; i++) {
            float value = ring[index(retained, i)];
            most = Float.isNaN(most) || value > most ? value : most;
        }
        return most;
    }

    @GuardedBy("this")
    private int index(int retained, int i) {
        return (int) ((taken - retained + i) % most);
    }

    private static boolean empty(float[] ring) {
        for (float value : ring) {
            if (Float.isFinite(value)) {
                return false;
            }
        }
        return true;
    }
}

package io.ecfs.bench.exstorus;

import io.ecfs.console.forecast.ResourceText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** Numbers by key, from a resource of lines {@code key,value}. */
public final class Numbers {
    private final Map<String, Double> byKey;

    private Numbers(Map<String, Double> byKey) {
        this.byKey = byKey;
    }

    /** What the paper says in words. */
    static Numbers ofThePaper() {
        return read("paper.csv");
    }

    /** What we want to reach. */
    public static Numbers targets() {
        return read("targets.csv");
    }

    private static Numbers read(String resource) {
        Map<String, Double> byKey = new LinkedHashMap<>();
        for (String line : ResourceText.of(Numbers.class, resource).split("\n", -1)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                int comma = line.lastIndexOf(',');
                byKey.put(line.substring(0, comma), Double.valueOf(line.substring(comma + 1)));
            }
        }
        return new Numbers(byKey);
    }

    public OptionalDouble find(String key) {
        Double value = byKey.get(key);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** @throws IllegalArgumentException for a key that is not there */
    public double get(String key) {
        return find(key).orElseThrow(() -> new IllegalArgumentException("no number " + key));
    }
}

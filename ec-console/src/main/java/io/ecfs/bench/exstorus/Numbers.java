package io.ecfs.bench.exstorus;

import io.ecfs.console.forecast.ResourceText;
import io.ecfs.plan.write.CsvLines;
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
        CsvLines.read(ResourceText.of(Numbers.class, resource).lines().toList(), fields -> {
            CsvLines.requireFields(fields, "key,value");
            byKey.put(fields.get(0), Double.valueOf(fields.get(1)));
        });
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

package io.ecfs.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Latencies of the operations of one part, recorded by each thread on its own. */
public final class Latencies {
    private static final int DIGITS = 3;
    private static final double MICRO = 1e3;

    private final Histogram[] byThread;

    public Latencies(int threads) {
        byThread =
                IntStream.range(0, threads).mapToObj(i -> new Histogram(DIGITS)).toArray(Histogram[]::new);
    }

    public void record(int thread, long nanos) {
        byThread[thread].recordValue(Math.max(0, nanos));
    }

    public long count() {
        return all().getTotalCount();
    }

    /** In nanoseconds. */
    public long p50() {
        return all().getValueAtPercentile(50);
    }

    /** In nanoseconds. */
    public long p99() {
        return all().getValueAtPercentile(99);
    }

    /** Members of a figure's {@code params}, in microseconds. */
    public Map<String, Object> params() {
        Histogram all = all();
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("p50_us", all.getValueAtPercentile(50) / MICRO);
        params.put("p90_us", all.getValueAtPercentile(90) / MICRO);
        params.put("p99_us", all.getValueAtPercentile(99) / MICRO);
        params.put("p999_us", all.getValueAtPercentile(99.9) / MICRO);
        params.put("max_us", all.getMaxValue() / MICRO);
        return params;
    }

    private Histogram all() {
        Histogram all = new Histogram(DIGITS);
        for (Histogram one : byThread) {
            all.add(one);
        }
        return all;
    }
}

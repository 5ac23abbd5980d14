package io.ecfs.bench.bed;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.HtmlPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of one run, of any bed. */
public final class BedFigures {
    private static final int OFTEN = 1000;

    private BedFigures() {}

    /** @param bed {@code sim} or {@code cluster} */
    public static List<Figure> of(BedPlan plan, String bed, BedPlan.Run run, BedResult result) {
        Map<String, Object> params = params(plan, bed, run);
        params.put("requests_per_s", result.requestsPerSecond());
        params.put("visits_per_request", result.visitsPerRequest());
        params.put("moves", result.moves());
        Map<String, Object> withCurves = new LinkedHashMap<>(params);
        withCurves.put(HtmlPage.OVER_TIME, result.latencies().overTime());
        withCurves.put(HtmlPage.DISTRIBUTION, result.latencies().distribution());
        List<Figure> figures = new ArrayList<>(List.of(
                new Figure("latency_mean", result.meanMillis(), "ms", withCurves),
                new Figure("latency_p50", result.millisAt(50), "ms", params),
                new Figure("latency_p99", result.millisAt(99), "ms", params),
                new Figure("lambda", result.lambda(), "%", params)));
        if (result.statisticsBytes().isPresent()) {
            figures.add(new Figure("statistics_of_stored", result.statisticsOfStored(), "%", params));
        }
        result.cacheUse().ifPresent(use -> figures.add(new Figure("plan_cache_hit", use.hitPercent(), "%", params)));
        result.planningTimes().ifPresent(times -> {
            figures.add(new Figure("planning_10_blocks_p50", times.microsAt(50), "us", params));
            figures.add(new Figure("planning_10_blocks_p99", times.microsAt(99), "us", params));
            figures.add(new Figure("planner_cpu_at_1000_requests_s", times.processorPercent(OFTEN), "%", params));
        });
        return figures;
    }

    /** Parameters that identify a run. */
    public static Map<String, Object> params(BedPlan plan, String bed, BedPlan.Run run) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("config", run.configuration().word());
        params.put("workload", plan.work().word());
        plan.trace().ifPresent(trace -> params.put("trace", trace.name()));
        params.put("bed", bed);
        params.put("block_bytes", plan.blockBytes());
        params.put("failed", run.failed());
        params.put("rep", run.repetition());
        return params;
    }
}

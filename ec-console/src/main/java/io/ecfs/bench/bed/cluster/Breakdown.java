package io.ecfs.bench.bed.cluster;

import io.ecfs.bench.bed.BedTable;
import io.ecfs.bench.report.Figure;
import io.ecfs.client.read.ReadTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Time of requests by phase, as in figure 4b of the paper, and the utilization of disks and processors.
 *
 * @param disksBusy utilization of the disks, on average
 * @param processorsBusy in per cent, by all processes
 * @param processorsOwn in per cent, by this process
 */
public record Breakdown(ReadTimes.Sums times, double disksBusy, double processorsBusy, double processorsOwn) {
    private static final double MILLI = 1e6;
    private static final double PERCENT = 100;

    List<Figure> figures(Map<String, Object> params) {
        return List.of(
                new Figure("metadata_mean", millis(times.openingNanos()), "ms", params),
                new Figure("planning_mean", millis(times.planningNanos()), "ms", params),
                new Figure("retrieval_mean", millis(times.readingNanos()), "ms", params),
                new Figure("decoding_mean", millis(times.decodingNanos()), "ms", params),
                new Figure("disks_busy", PERCENT * disksBusy, "%", params),
                new Figure("processors_busy", processorsBusy, "%", params),
                new Figure("processors_own", processorsOwn, "%", params));
    }

    private double millis(long nanos) {
        return times.requests() == 0 ? 0 : nanos / MILLI / times.requests();
    }

    /** A line for each configuration: medians of the repetitions. */
    public static List<String> lines(List<Figure> figures) {
        List<String> lines = new ArrayList<>();
        BedTable.rows(figures)
                .forEach((row, summaries) -> lines.add(String.format(
                        Locale.ROOT,
                        "%s failed: metadata %.2f ms, planning %.3f ms, retrieval %.1f ms, in it decoding %.2f ms;"
                                + " disks %.0f %% busy, processors %.0f %%, %.0f %% by this process",
                        row,
                        summaries.get("metadata_mean").median(),
                        summaries.get("planning_mean").median(),
                        summaries.get("retrieval_mean").median(),
                        summaries.get("decoding_mean").median(),
                        summaries.get("disks_busy").median(),
                        summaries.get("processors_busy").median(),
                        summaries.get("processors_own").median())));
        return lines;
    }
}

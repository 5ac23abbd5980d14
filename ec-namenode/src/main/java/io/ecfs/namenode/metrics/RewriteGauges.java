package io.ecfs.namenode.metrics;

import io.ecfs.env.real.Metric;
import io.ecfs.namenode.rewriting.RewriteTotals;
import io.ecfs.namenode.rewriting.Rewriting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Rewriting in numbers; only the leader has them.
 *
 * @param conversions that have not ended, paused ones included
 * @param byReason sums by the label of the reason
 */
record RewriteGauges(long conversions, Map<String, RewriteTotals.Sums> byReason) {
    static RewriteGauges of(Optional<Rewriting> rewriting) {
        return new RewriteGauges(
                rewriting.map(leading -> leading.conversions().count()).orElse(0),
                rewriting.map(leading -> leading.totals().byReason()).orElse(Map.of()));
    }

    List<Metric> named(Map<String, String> labels) {
        List<Metric> all = new ArrayList<>();
        all.add(Metric.gauge(
                "ecfs_namenode_conversions",
                "Conversions that have not ended, paused ones included",
                labels,
                conversions));
        new TreeMap<>(byReason).forEach((reason, sums) -> {
            Map<String, String> ofReason = Metric.with(labels, "reason", reason);
            all.add(Metric.counter(
                    "ecfs_namenode_rewritten_groups_total",
                    "Groups that rewrites wrote since this namenode leads, by reason",
                    ofReason,
                    sums.groups()));
            all.add(Metric.counter(
                    "ecfs_namenode_rewrite_read_bytes_total",
                    "Users' bytes that were rewritten since this namenode leads, by reason",
                    ofReason,
                    sums.bytesRead()));
            all.add(Metric.counter(
                    "ecfs_namenode_rewrite_written_bytes_total",
                    "Bytes of chunks that rewrites wrote since this namenode leads, by reason",
                    ofReason,
                    sums.bytesWritten()));
        });
        return all;
    }
}

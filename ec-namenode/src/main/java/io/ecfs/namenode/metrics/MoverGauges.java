package io.ecfs.namenode.metrics;

import io.ecfs.env.real.Metric;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.rebalance.ChunkMover;
import io.ecfs.namenode.rebalance.MoverTotals;
import io.ecfs.namenode.stats.AccessWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The mover and the statistics of a namenode in numbers. Statistics are those of every namenode, moves those of the
 * leader.
 * @param vetoed evaluated moves that were too soon after an earlier one
 * @param statisticsBytes of memory, about
 * @param storedBytes on all volumes that are known, as capacity and free bytes
 */
record MoverGauges(
        MoverTotals.Sums moves,
        long vetoed,
        long windowRequests,
        long windowGroups,
        long statisticsBytes,
        long storedBytes,
        long capacityBytes,
        long freeBytes) {
    private static final double MILLI = 1e3;

    static MoverGauges of(NamenodeContext context, ClusterView cluster, Optional<ChunkMover> mover) {
        AccessWindow window = cluster.statistics().window(context.nowMillis());
        return new MoverGauges(
                mover.map(ChunkMover::totals).orElse(MoverTotals.Sums.NONE),
                mover.map(ChunkMover::vetoed).orElse(0L),
                window.requests(),
                window.groups(),
                cluster.statistics().bytes(),
                sum(cluster, VolumeStatus::usedBytes),
                sum(cluster, VolumeStatus::capacityBytes),
                sum(cluster, VolumeStatus::freeBytes));
    }

    private static long sum(ClusterView cluster, ToLongFunction<VolumeStatus> bytes) {
        return cluster.topology().datanodes().stream()
                .flatMap(facts -> facts.volumes().values().stream())
                .flatMap(volume -> cluster.table().load(volume).stream())
                .mapToLong(bytes)
                .sum();
    }

    List<Metric> named(Map<String, String> labels) {
        return Stream.concat(totals(labels), gauges(labels)).toList();
    }

    private Stream<Metric> totals(Map<String, String> labels) {
        return Stream.of(
                Metric.counter(
                                "ecfs_namenode_mover_moves_begun_total",
                                "Moves of the chunk mover since this namenode leads",
                                labels,
                                moves.begun())
                        .formerly("ecfs_namenode_mover_moves_begun"),
                Metric.counter(
                                "ecfs_namenode_mover_moves_done_total",
                                "Chunks that lie elsewhere now",
                                labels,
                                moves.moved())
                        .formerly("ecfs_namenode_mover_moves_done"),
                Metric.counter(
                                "ecfs_namenode_mover_moves_failed_total",
                                "Moves that came to nothing",
                                labels,
                                moves.failed())
                        .formerly("ecfs_namenode_mover_moves_failed"),
                Metric.counter(
                                "ecfs_namenode_mover_moves_vetoed_total",
                                "Looks at moves that were too soon after an earlier one",
                                labels,
                                vetoed)
                        .formerly("ecfs_namenode_mover_moves_vetoed"),
                Metric.counter(
                                "ecfs_namenode_mover_moved_bytes_total",
                                "Bytes of chunks that moved",
                                labels,
                                moves.bytes())
                        .formerly("ecfs_namenode_mover_moved_bytes"),
                Metric.counter(
                                "ecfs_namenode_mover_moves_judged_total",
                                "Moves that had time to show",
                                labels,
                                moves.judged())
                        .formerly("ecfs_namenode_mover_moves_judged"));
    }

    /** Gains are no counters: a move may gain less than nothing. */
    private Stream<Metric> gauges(Map<String, String> labels) {
        return Stream.of(
                Metric.gauge(
                                "ecfs_namenode_mover_predicted_gain_ratio",
                                "Summed gain (Delta of equation 8) that judged moves were expected to have",
                                labels,
                                moves.predictedMilli() / MILLI)
                        .formerly("ecfs_namenode_mover_predicted_gain_milli", labels, moves.predictedMilli()),
                Metric.gauge(
                                "ecfs_namenode_mover_realised_gain_ratio",
                                "Summed gain that judged moves had",
                                labels,
                                moves.realisedMilli() / MILLI)
                        .formerly("ecfs_namenode_mover_realised_gain_milli", labels, moves.realisedMilli()),
                Metric.gauge(
                                "ecfs_namenode_mover_move_p99_seconds",
                                "99 in 100 of the latest moves took no longer",
                                labels,
                                moves.tailMillis() / MILLI)
                        .formerly("ecfs_namenode_mover_move_p99_milliseconds", labels, moves.tailMillis()),
                Metric.gauge(
                        "ecfs_namenode_statistics_window_requests",
                        "Requests of clients in the window",
                        labels,
                        windowRequests),
                Metric.gauge("ecfs_namenode_statistics_window_groups", "Different groups in it", labels, windowGroups),
                Metric.gauge("ecfs_namenode_statistics_bytes", "Memory of statistics, about", labels, statisticsBytes),
                Metric.gauge("ecfs_namenode_stored_bytes", "Used on all volumes", labels, storedBytes),
                Metric.gauge("ecfs_namenode_capacity_bytes", "Size of all volumes", labels, capacityBytes),
                Metric.gauge("ecfs_namenode_free_bytes", "Free on all volumes", labels, freeBytes));
    }
}

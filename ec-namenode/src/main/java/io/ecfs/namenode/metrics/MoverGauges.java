package io.ecfs.namenode.metrics;

import io.ecfs.env.real.StatusServer.Gauge;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.rebalance.ChunkMover;
import io.ecfs.namenode.rebalance.MoverTotals;
import io.ecfs.namenode.stats.AccessWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The mover and the statistics of a namenode in numbers. Statistics are those of every namenode, moves those of the
 * leader.
 * @param vetoed evaluated moves that were too soon after an earlier one
 * @param statisticsBytes of memory, about
 * @param storedBytes on all volumes that are known
 */
record MoverGauges(
        MoverTotals.Sums moves,
        long vetoed,
        long windowRequests,
        long windowGroups,
        long statisticsBytes,
        long storedBytes) {

    static MoverGauges of(NamenodeContext context, ClusterView cluster, Optional<ChunkMover> mover) {
        AccessWindow window = cluster.statistics().window(context.nowMillis());
        return new MoverGauges(
                mover.map(ChunkMover::totals).orElse(MoverTotals.Sums.NONE),
                mover.map(ChunkMover::vetoed).orElse(0L),
                window.requests(),
                window.groups(),
                cluster.statistics().bytes(),
                cluster.topology().datanodes().stream()
                        .flatMap(facts -> facts.volumes().values().stream())
                        .flatMap(volume -> cluster.table().load(volume).stream())
                        .mapToLong(VolumeStatus::usedBytes)
                        .sum());
    }

    List<Gauge> named(Map<String, String> labels) {
        return List.of(
                new Gauge("ecfs_namenode_mover_moves_begun", "Since this namenode leads", labels, moves.begun()),
                new Gauge("ecfs_namenode_mover_moves_done", "Chunks that lie elsewhere now", labels, moves.moved()),
                new Gauge("ecfs_namenode_mover_moves_failed", "Moves that came to nothing", labels, moves.failed()),
                new Gauge(
                        "ecfs_namenode_mover_moves_vetoed",
                        "Looks at moves that were too soon after an earlier one",
                        labels,
                        vetoed),
                new Gauge("ecfs_namenode_mover_moved_bytes", "Bytes of chunks that moved", labels, moves.bytes()),
                new Gauge("ecfs_namenode_mover_moves_judged", "Moves that had time to show", labels, moves.judged()),
                new Gauge(
                        "ecfs_namenode_mover_predicted_gain_milli",
                        "What judged moves were expected to gain, in thousandths",
                        labels,
                        moves.predictedMilli()),
                new Gauge(
                        "ecfs_namenode_mover_realised_gain_milli",
                        "What judged moves gained, in thousandths",
                        labels,
                        moves.realisedMilli()),
                new Gauge(
                        "ecfs_namenode_mover_move_p99_milliseconds",
                        "99 in 100 of the latest moves took no longer",
                        labels,
                        moves.tailMillis()),
                new Gauge(
                        "ecfs_namenode_statistics_window_requests",
                        "Requests of clients in the window",
                        labels,
                        windowRequests),
                new Gauge("ecfs_namenode_statistics_window_groups", "Different groups in it", labels, windowGroups),
                new Gauge("ecfs_namenode_statistics_bytes", "Memory of statistics, about", labels, statisticsBytes),
                new Gauge("ecfs_namenode_stored_bytes", "Used on all volumes", labels, storedBytes));
    }
}

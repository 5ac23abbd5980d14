package io.ecfs.bench;

import io.ecfs.client.EcfsClient;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Polls the cluster until a condition is met. */
final class ClusterWatch {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private ClusterWatch() {}

    /** One poll; empty while the condition is not met. */
    interface Poll<T> {
        Optional<T> poll() throws Exception;
    }

    /** @throws EcfsException {@code TIMEOUT} when the condition is not met within {@link #PATIENCE} */
    static <T> T await(String what, Poll<T> poll) throws Exception {
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!poller.passed(PATIENCE)) {
            Optional<T> seen = poll.poll();
            if (seen.isPresent()) {
                return seen.get();
            }
            poller.pause();
        }
        throw new EcfsException(
                ErrorCode.TIMEOUT,
                "timed out after " + PATIENCE.toMinutes() + " minutes of waiting for " + what
                        + ": 'ecfs admin fsck' shows what is waiting, and why");
    }

    /**
     * Waits until every group and datanode is healthy, and every datanode has sent a heartbeat since the call, which
     * reports the usage of its volumes.
     */
    static ClusterReport awaitWhole(EcfsClient client) throws Exception {
        Map<DatanodeId, Long> before = new HashMap<>();
        Await.result(client.admin().report()).datanodes().forEach(d -> before.put(d.id(), d.lastHeartbeatMillis()));
        return await(
                "every group to be healthy",
                () -> Optional.of(Await.result(client.admin().report()))
                        .filter(ClusterWatch::healthy)
                        .filter(report -> report.datanodes().stream()
                                .allMatch(d -> d.lastHeartbeatMillis() > before.getOrDefault(d.id(), 0L))));
    }

    private static boolean healthy(ClusterReport report) {
        return report.groups().degraded() == 0
                && report.groups().lost() == 0
                && report.datanodes().stream().allMatch(d -> d.state() == ClusterReport.DatanodeState.HEALTHY);
    }

    /** The datanode with most bytes. */
    static ClusterReport.Datanode fullest(ClusterReport report) {
        return report.datanodes().stream()
                .max(Comparator.comparingLong(ClusterWatch::chunkBytes))
                .orElseThrow();
    }

    static long chunkBytes(ClusterReport.Datanode datanode) {
        return datanode.volumes().stream()
                .mapToLong(ClusterReport.Volume::usedBytes)
                .sum();
    }
}

package io.ecfs.bench;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.console.view.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.ClusterReport;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Looks at the cluster again and again until what is waited for is there. */
final class ClusterWatch {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private ClusterWatch() {}

    /** One look; empty when what is waited for is not there yet. */
    interface Look<T> {
        Optional<T> look() throws Exception;
    }

    /** @throws EcfsException {@code TIMEOUT} when that takes longer than anybody would wait */
    static <T> T await(String what, Look<T> look) throws Exception {
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!poller.passed(PATIENCE)) {
            Optional<T> seen = look.look();
            if (seen.isPresent()) {
                return seen.get();
            }
            poller.pause();
        }
        throw new EcfsException(
                ErrorCode.TIMEOUT,
                "waited " + PATIENCE.toMinutes() + " minutes in vain for " + what
                        + ": 'ecfs admin fsck' says what waits, and why");
    }

    /**
     * Waits until every chunk is where it should be and every datanode is well, and has sent a heartbeat since the
     * call: what its volumes hold is known by that.
     */
    static ClusterReport awaitWhole(EcfsClient client) throws Exception {
        Map<DatanodeId, Long> before = new HashMap<>();
        Await.result(client.admin().report()).datanodes().forEach(d -> before.put(d.id(), d.lastHeartbeatMillis()));
        return await(
                "every group to be whole",
                () -> Optional.of(Await.result(client.admin().report()))
                        .filter(ClusterWatch::whole)
                        .filter(report -> report.datanodes().stream()
                                .allMatch(d -> d.lastHeartbeatMillis() > before.getOrDefault(d.id(), 0L))));
    }

    private static boolean whole(ClusterReport report) {
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

package io.ecfs.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Waits until faults are healed, within a bound: what is not healed by then is a problem. */
final class Settling {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    /** For one round of faults, under load: a loss is detected after seconds and reconstructed in less. */
    static final Duration ROUND = Duration.ofMinutes(3);

    /** At the end: leases end, recoveries and repairs too, garbage goes with heartbeats. */
    static final Duration END = Duration.ofMinutes(5);

    /** Interval of the notes of a long wait. */
    private static final Duration BETWEEN_NOTES = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final EcfsClient client;
    private final int chunksOfGroup;
    private final Notes notes;
    private boolean powerWasLost;

    /** Log of events. */
    interface Notes {
        void note(String event) throws IOException;
    }

    /**
     * @param clock of the namenodes
     * @param notes receive the unmet conditions of a long wait
     */
    Settling(InstantSource clock, EcfsClient client, int chunksOfGroup, Notes notes) {
        this.clock = clock;
        this.client = client;
        this.chunksOfGroup = chunksOfGroup;
        this.notes = notes;
    }

    /** Several machines lose power: from now on groups may be lost. */
    void losePower() {
        powerWasLost = true;
    }

    /** True when unsynced data may be lost. */
    boolean mayLose() {
        return powerWasLost;
    }

    /** All daemons serve, all sealed groups have all their chunks. */
    void awaitWhole() throws IOException, InterruptedException {
        List<String> left = await(ROUND, false);
        if (!left.isEmpty()) {
            throw new EcfsException(
                    ErrorCode.TIMEOUT,
                    "the cluster is not healthy " + ROUND.toSeconds() + " s after the last fault: "
                            + String.join("; ", left));
        }
    }

    /**
     * Problems that remain on an idle cluster; empty when all is healed, closed and deleted that should be.
     */
    List<String> leftOver() throws IOException, InterruptedException {
        return await(END, true);
    }

    private List<String> await(Duration bound, boolean quiet) throws IOException, InterruptedException {
        Poller poller = Poller.every(POLL_INTERVAL);
        long begin = clock.millis();
        long reached = -1;
        Duration noted = Duration.ZERO;
        List<String> left = List.of("no namenode answers");
        while (!poller.passed(bound)) {
            try {
                ClusterReport report = Await.result(client.admin().report());
                if (reached < 0) {
                    reached = leadersIndex(report);
                }
                left = unsettled(report, begin, reached, quiet);
                if (left.isEmpty()) {
                    return left;
                }
            } catch (EcfsException e) {
                if (!e.code().retryable()) {
                    throw e;
                }
                left = List.of(e.getMessage());
            }
            if (poller.passed(noted.plus(BETWEEN_NOTES))) {
                noted = noted.plus(BETWEEN_NOTES);
                notes.note("event=still_waiting seconds=" + noted.toSeconds() + " left=\"" + String.join("; ", left)
                        + "\"");
            }
            poller.pause();
        }
        return left;
    }

    private static long leadersIndex(ClusterReport report) {
        return report.namenodes().stream()
                .filter(namenode -> namenode.role() == ClusterReport.Role.LEADER)
                .mapToLong(ClusterReport.Namenode::appliedIndex)
                .max()
                .orElse(-1);
    }

    /**
     * The report of a restarted daemon may be stale, so a datanode counts as back with a heartbeat after
     * {@code beginMillis}, a namenode when it has applied what the leader had by then.
     */
    private List<String> unsettled(ClusterReport report, long beginMillis, long reached, boolean quiet) {
        List<String> left = new ArrayList<>();
        report.namenodes().stream()
                .filter(namenode -> reached < 0 || namenode.appliedIndex() < reached)
                .forEach(namenode -> left.add(namenode.id() + " has not caught up with the leader"));
        report.datanodes().stream()
                .filter(datanode -> datanode.state() != ClusterReport.DatanodeState.HEALTHY
                        || datanode.lastHeartbeatMillis() <= beginMillis)
                .forEach(datanode -> left.add(datanode.id() + " is " + datanode.state() + " or not back"));
        if (report.safeMode()) {
            left.add("safe mode: " + report.safeModeReason());
        }
        ClusterReport.Groups groups = report.groups();
        if (groups.degraded() + (powerWasLost ? 0 : groups.lost()) > 0) {
            left.add(groups.degraded() + " groups are degraded, " + groups.lost() + " lost");
        }
        if (quiet) {
            long chunks = report.datanodes().stream()
                    .flatMap(datanode -> datanode.volumes().stream())
                    .mapToLong(ClusterReport.Volume::chunks)
                    .sum();
            if (groups.open() > 0) {
                left.add(groups.open() + " groups are open");
            }
            long whole = groups.healthy() * chunksOfGroup;
            if (chunks < whole || chunks > whole + groups.lost() * chunksOfGroup) {
                left.add(chunks + " chunks are on the volumes, the groups have " + whole);
            }
        }
        return left;
    }
}

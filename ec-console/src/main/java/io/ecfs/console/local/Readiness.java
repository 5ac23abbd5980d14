package io.ecfs.console.local;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Waits until a cluster serves and tolerates the loss of a daemon: a leader, every other namenode with some of its log,
 * every datanode registered at it, safe mode left.
 */
public final class Readiness {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final int CONNECT_MILLIS = 500;

    private Readiness() {}

    /** Notified after every poll of the cluster. */
    public interface Progress {
        /**
         * @param waitingFor what is still missing, for people
         * @throws IOException to wait no longer
         */
        void at(int datanodesReady, int datanodes, String waitingFor) throws IOException;
    }

    /** @throws EcfsException {@code TIMEOUT} with what was missing */
    static void await(ClusterPlan plan, ClientConfig config, Progress progress) throws IOException {
        Poller poller = poller();
        String missing = "a namenode that leads";
        try (EcfsClient client = EcfsClient.connect(ClusterUri.parse(plan.uri()), config, Identity.ofThisProcess())) {
            while (!poller.passed(PATIENCE)) {
                try {
                    ClusterReport report = Await.result(client.admin().report());
                    int ready = healthyDatanodes(report);
                    missing = missing(report, ready, plan.datanodes().size());
                    progress.at(ready, plan.datanodes().size(), missing);
                    if (missing.isEmpty()) {
                        return;
                    }
                } catch (EcfsException e) {
                    if (!e.code().retryable()) {
                        throw e;
                    }
                    missing = e.getMessage();
                    progress.at(0, plan.datanodes().size(), missing);
                }
                pause(poller);
            }
        }
        throw new EcfsException(
                ErrorCode.TIMEOUT,
                "the cluster is not ready after " + PATIENCE.toSeconds() + " s: waiting for " + missing
                        + "; see the logs directory");
    }

    /** Waits until something listens at the address of a daemon just started. */
    static void awaitAnswer(String id, Address address, Process process, Path directory) throws IOException {
        Poller poller = poller();
        while (!answers(address)) {
            if (!process.isAlive() || poller.passed(PATIENCE)) {
                throw new EcfsException(
                        ErrorCode.UNREACHABLE,
                        id
                                + (process.isAlive()
                                        ? " does not answer at " + address
                                        : " ended with code " + process.exitValue())
                                + ": see " + directory.resolve("logs").resolve(id + ".log"));
            }
            pause(poller);
        }
    }

    /**
     * Waits until a process just started says that it is ready, in what it adds to its log: another one may listen
     * where it was to.
     */
    static void awaitWord(String id, String word, Path log, long logBefore, Process process) throws IOException {
        Poller poller = poller();
        while (!said(word, log, logBefore)) {
            if (!process.isAlive() || poller.passed(PATIENCE)) {
                throw new EcfsException(
                        ErrorCode.UNREACHABLE,
                        id
                                + (process.isAlive()
                                        ? " is not ready after " + PATIENCE.toSeconds() + " s"
                                        : " ended with code " + process.exitValue())
                                + ": see " + log);
            }
            pause(poller);
        }
    }

    private static boolean said(String word, Path log, long from) throws IOException {
        if (Files.size(log) <= from) {
            return false;
        }
        try (InputStream in = Files.newInputStream(log)) {
            in.skipNBytes(from);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).contains(word);
        }
    }

    private static int healthyDatanodes(ClusterReport report) {
        return (int) report.datanodes().stream()
                .filter(d -> d.state() == ClusterReport.DatanodeState.HEALTHY)
                .count();
    }

    private static String missing(ClusterReport report, int ready, int datanodes) {
        long behind = report.namenodes().stream()
                .filter(namenode -> namenode.appliedIndex() < 0)
                .count();
        if (behind > 0) {
            return behind + " of " + report.namenodes().size() + " namenodes";
        }
        if (ready < datanodes) {
            return (datanodes - ready) + " of " + datanodes + " datanodes";
        }
        return report.safeMode() ? "safe mode to end: " + report.safeModeReason() : "";
    }

    private static boolean answers(Address address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    static Poller poller() {
        return Poller.every(POLL_INTERVAL);
    }

    static void pause(Poller poller) throws IOException {
        try {
            poller.pause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the cluster", e);
        }
    }
}

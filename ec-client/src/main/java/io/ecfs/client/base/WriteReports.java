package io.ecfs.client.base;

import io.ecfs.env.Scheduler;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.RelayFallbacks;
import io.ecfs.message.report.WriteShare;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reports the times and relay fallbacks of this client's writes to all namenodes, a while after they changed and when
 * the client closes. Lossy: a lost report is not repeated. Owned by the client's owner thread.
 */
public final class WriteReports {
    /** From a change to its report. */
    private static final Duration DELAY = Duration.ofSeconds(2);

    /** Longest wait of a client that closes for the answer to its last report. */
    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Scheduler owner;
    private final Supplier<List<WriteShare>> times;
    private final Supplier<List<RelayFallbacks>> fallbacks;
    private final Function<NamespaceRequest, CompletableFuture<Void>> tell;
    private final Map<WriteShare.Key, WriteShare> reported = new HashMap<>();
    private List<RelayFallbacks> reportedFallbacks = List.of();
    private boolean scheduled;
    private CompletableFuture<Void> lastAnswered = CompletableFuture.completedFuture(null);

    /**
     * @param times all writes since the client began
     * @param fallbacks all of them since the client began
     * @param tell sends a message to every namenode; completes normally once it is answered or failed
     */
    public WriteReports(
            Scheduler owner,
            Supplier<List<WriteShare>> times,
            Supplier<List<RelayFallbacks>> fallbacks,
            Function<NamespaceRequest, CompletableFuture<Void>> tell) {
        this.owner = owner;
        this.times = times;
        this.fallbacks = fallbacks;
        this.tell = tell;
    }

    /** Something was written. */
    public void changed() {
        if (!scheduled) {
            scheduled = true;
            owner.schedule(DELAY, this::report);
        }
    }

    /**
     * Reports what is not reported yet. Called from any thread.
     *
     * @return completes normally when the last report is answered, at the latest after {@link #CLOSE_TIMEOUT}
     */
    public CompletableFuture<Void> flush() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        owner.execute(() -> {
            owner.schedule(CLOSE_TIMEOUT, () -> done.complete(null));
            report();
            lastAnswered.whenComplete((answered, failure) -> done.complete(null));
        });
        return done;
    }

    private void report() {
        scheduled = false;
        List<WriteShare> since = WriteShare.added(reported, times.get()).stream()
                .limit(NamespaceRequest.ReportWrites.MAX_SHARES)
                .toList();
        since.forEach(added -> reported.merge(added.key(), added, WriteShare::plus));
        List<RelayFallbacks> fellBack = fallbacks.get();
        List<RelayFallbacks> fellBackSince = RelayFallbacks.added(reportedFallbacks, fellBack);
        reportedFallbacks = fellBack;
        if (!since.isEmpty() || !fellBackSince.isEmpty()) {
            lastAnswered = tell.apply(new NamespaceRequest.ReportWrites(
                    since, fellBackSince.isEmpty() ? Optional.empty() : Optional.of(fellBackSince)));
        }
    }
}

package io.ecfs.client.base;

import io.ecfs.env.Scheduler;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.WriteShare;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reports the times of this client's writes to all namenodes, a while after they changed. Lossy: a lost report is not
 * repeated. Owned by the client's owner thread.
 */
public final class WriteReports {
    /** From a change to its report. */
    private static final Duration DELAY = Duration.ofSeconds(2);

    private final Scheduler owner;
    private final Supplier<List<WriteShare>> times;
    private final Consumer<NamespaceRequest> tell;
    private final Map<WriteShare.Key, WriteShare> reported = new HashMap<>();
    private boolean scheduled;

    /**
     * @param times all writes since the client began
     * @param tell sends a message to every namenode without waiting for an answer
     */
    public WriteReports(Scheduler owner, Supplier<List<WriteShare>> times, Consumer<NamespaceRequest> tell) {
        this.owner = owner;
        this.times = times;
        this.tell = tell;
    }

    /** Something was written. */
    public void changed() {
        if (!scheduled) {
            scheduled = true;
            owner.schedule(DELAY, this::report);
        }
    }

    private void report() {
        scheduled = false;
        List<WriteShare> since = WriteShare.added(reported, times.get()).stream()
                .limit(NamespaceRequest.ReportWrites.MAX_SHARES)
                .toList();
        since.forEach(added -> reported.merge(added.key(), added, WriteShare::plus));
        if (!since.isEmpty()) {
            tell.accept(new NamespaceRequest.ReportWrites(since));
        }
    }
}

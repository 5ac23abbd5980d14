package io.ecfs.namenode.context;

import io.ecfs.error.EcfsException;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.Command.Noted;
import java.util.ArrayDeque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the leader notes into the history. One entry of the log is under way at a time and takes all that was
 * noted before it, so that a thousand events cost a few entries. Owner thread: the namenode's event thread.
 */
public final class EventRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final int MOST_WAITING = 10_000;

    private final NamenodeContext context;
    private final Proposer proposer;
    private final ArrayDeque<Noted> waiting = new ArrayDeque<>();
    private boolean underWay;
    private long dropped;

    public EventRecorder(NamenodeContext context, Proposer proposer) {
        this.context = context;
        this.proposer = proposer;
    }

    public void note(ClusterEvent event) {
        if (waiting.size() >= MOST_WAITING) {
            if (dropped++ == 0) {
                LOG.warn(
                        "event=history_full waiting={} reason=\"the log takes no events; new ones are dropped\"",
                        waiting.size());
            }
            return;
        }
        waiting.add(new Noted(context.epochMillis(), event));
        flush();
    }

    /** True when everything that was noted is in the facts, or was given up. */
    public boolean settled() {
        return waiting.isEmpty();
    }

    public void tick() {
        flush();
    }

    private void flush() {
        if (underWay || waiting.isEmpty()) {
            return;
        }
        underWay = true;
        List<Noted> batch =
                waiting.stream().limit(Command.RecordEvents.MAX_EVENTS).toList();
        proposer.propose(
                new Command.RecordEvents(
                        context.epochMillis(), context.settings().history(), batch),
                outcome -> {
                    underWay = false;
                    outcome.resolve(
                            recorded -> {
                                batch.forEach(noted -> waiting.remove());
                                dropped = 0;
                                flush();
                            },
                            failure -> failed(batch, failure));
                });
    }

    /** Events whose failure is retryable stay in the queue. */
    private void failed(List<Noted> batch, Throwable failure) {
        if (failure instanceof EcfsException e && e.code().retryable()) {
            return;
        }
        batch.forEach(noted -> waiting.remove());
        LOG.warn("event=history_refused events={} error=\"{}\"", batch.size(), failure.getMessage());
    }
}

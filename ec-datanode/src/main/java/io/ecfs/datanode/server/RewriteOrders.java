package io.ecfs.datanode.server;

import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the leader's orders to fill groups, a few at a time. One that finds no room comes again with a later
 * heartbeat. One that was carried out is not begun again: its result is reported once more. Groups are told apart by
 * number and stamp, since a leader whose state was rolled back orders numbers again. Owner thread: the control plane's.
 */
final class RewriteOrders {
    private static final Logger LOG = LoggerFactory.getLogger(RewriteOrders.class);

    /** Results that are remembered. */
    private static final int REMEMBERED = 100;

    private final Scheduler scheduler;
    private final ChangeSink changes;
    private final Rewriter rewriter;
    private final Consumer<BadChunk> badChunks;
    private final Set<Target> running = new HashSet<>();
    private final Map<Target, ChunkChange.Rewritten> results = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Target, ChunkChange.Rewritten> eldest) {
            return size() > REMEMBERED;
        }
    };

    private record Target(GroupId group, int stamp) {}

    /** @param badChunks receives chunks that could not be used when they were read */
    RewriteOrders(Scheduler scheduler, ChangeSink changes, Rewriter rewriter, Consumer<BadChunk> badChunks) {
        this.scheduler = scheduler;
        this.changes = changes;
        this.rewriter = rewriter;
        this.badChunks = badChunks;
    }

    void take(DatanodeOrder.Rewrite order) {
        Target target = new Target(order.target().group(), order.target().stamp());
        ChunkChange.Rewritten before = results.get(target);
        if (before != null) {
            changes.changed(before);
        } else if (running.size() < Rewriter.AT_ONCE && running.add(target)) {
            rewriter.rewrite(order, scheduler::execute, badChunks)
                    .whenComplete((filled, failure) -> scheduler.execute(() -> {
                        running.remove(target);
                        String reason =
                                failure == null ? "" : EcfsException.of(failure).getMessage();
                        LOG.info(
                                "event=group_rewritten group={} bytes={} done={} reason=\"{}\"",
                                target.group(),
                                order.length(),
                                failure == null,
                                reason);
                        ChunkChange.Rewritten result = new ChunkChange.Rewritten(
                                order.volume(),
                                target.group(),
                                Optional.of(target.stamp()),
                                order.length(),
                                failure == null ? filled.finished() : List.of(),
                                reason);
                        results.put(target, result);
                        changes.changed(result);
                    }));
        }
    }
}

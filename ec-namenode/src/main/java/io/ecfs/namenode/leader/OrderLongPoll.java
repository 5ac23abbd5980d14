package io.ecfs.namenode.leader;

import io.ecfs.env.Cancellable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Datanodes that wait for the leader's orders: what is ordered between two heartbeats goes out at once. Of each
 * datanode one question is kept, and not for longer than it said. Owner thread: the namenode's event thread.
 */
public final class OrderLongPoll {
    private record Waiting(CompletableFuture<DatanodeReply> answer, Cancellable end) {}

    private final long term;
    private final NamenodeContext context;
    private final Function<DatanodeId, List<DatanodeOrder>> fresh;
    private final TreeMap<DatanodeId, Waiting> waiting = new TreeMap<>();
    private boolean stopped;

    /** @param fresh takes a datanode's orders that were not handed out yet */
    OrderLongPoll(long term, NamenodeContext context, Function<DatanodeId, List<DatanodeOrder>> fresh) {
        this.term = term;
        this.context = context;
        this.fresh = fresh;
    }

    /**
     * Answers when there are orders, or {@code hold} has passed; a question that the datanode asked before is answered
     * now.
     */
    public CompletableFuture<DatanodeReply> await(DatanodeId datanode, Duration hold) {
        answer(datanode, List.of());
        List<DatanodeOrder> there = fresh.apply(datanode);
        if (!there.isEmpty()) {
            return CompletableFuture.completedFuture(heard(there));
        } else if (stopped) {
            return CompletableFuture.failedFuture(ended());
        }
        CompletableFuture<DatanodeReply> answer = new CompletableFuture<>();
        waiting.put(
                datanode, new Waiting(answer, context.scheduler().schedule(hold, () -> answer(datanode, List.of()))));
        return answer;
    }

    /** There are orders for this datanode. */
    void ordered(DatanodeId datanode) {
        if (waiting.containsKey(datanode)) {
            answer(datanode, fresh.apply(datanode));
        }
    }

    /** The term ends: whoever waits finds out who leads now. */
    void stop() {
        stopped = true;
        waiting.values().forEach(asked -> {
            asked.end().cancel();
            asked.answer().completeExceptionally(ended());
        });
        waiting.clear();
    }

    private void answer(DatanodeId datanode, List<DatanodeOrder> orders) {
        Waiting asked = waiting.remove(datanode);
        if (asked != null) {
            asked.end().cancel();
            asked.answer().complete(heard(orders));
        }
    }

    private DatanodeReply heard(List<DatanodeOrder> orders) {
        try (MetadataView view = context.facts().get()) {
            return new DatanodeReply.Heard(
                    term, orders, view.tokenKeys(), context.throttles(view).bytesPerSecond());
        }
    }

    private EcfsException ended() {
        return new EcfsException(ErrorCode.NOT_LEADER, "term " + term + " of this namenode has ended");
    }
}

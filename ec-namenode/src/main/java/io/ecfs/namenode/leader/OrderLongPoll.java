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
 * Long poll of datanodes for the leader's orders: orders between two heartbeats go out at once. At most one poll of
 * each datanode waits, and not longer than it asked for. Owner thread: the namenode's event thread.
 */
public final class OrderLongPoll {
    private record Waiting(CompletableFuture<DatanodeReply> answer, Cancellable end) {}

    private final long term;
    private final NamenodeContext context;
    private final Function<DatanodeId, List<DatanodeOrder>> fresh;
    private final TreeMap<DatanodeId, Waiting> waiting = new TreeMap<>();
    private boolean stopped;

    /** @param fresh takes a datanode's orders that were not sent yet */
    OrderLongPoll(long term, NamenodeContext context, Function<DatanodeId, List<DatanodeOrder>> fresh) {
        this.term = term;
        this.context = context;
        this.fresh = fresh;
    }

    /** Answers when there are orders, or {@code hold} has passed; an earlier poll of the datanode is answered now. */
    public CompletableFuture<DatanodeReply> await(DatanodeId datanode, Duration hold) {
        answer(datanode, List.of());
        List<DatanodeOrder> there = fresh.apply(datanode);
        if (!there.isEmpty()) {
            return CompletableFuture.completedFuture(reply(there));
        } else if (stopped) {
            return CompletableFuture.failedFuture(ended());
        }
        CompletableFuture<DatanodeReply> answer = new CompletableFuture<>();
        waiting.put(
                datanode, new Waiting(answer, context.scheduler().schedule(hold, () -> answer(datanode, List.of()))));
        return answer;
    }

    /** Answers the poll of a datanode that has new orders. */
    void ordered(DatanodeId datanode) {
        if (waiting.containsKey(datanode)) {
            answer(datanode, fresh.apply(datanode));
        }
    }

    /** Ends the term: every poll is answered, and the datanode finds the new leader. */
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
            asked.answer().complete(reply(orders));
        }
    }

    private DatanodeReply reply(List<DatanodeOrder> orders) {
        try (MetadataView view = context.facts().get()) {
            return new DatanodeReply.HeartbeatReply(
                    term, orders, view.tokenKeys(), context.throttles(view).bytesPerSecond());
        }
    }

    private EcfsException ended() {
        return new EcfsException(ErrorCode.NOT_LEADER, "term " + term + " of this namenode has ended");
    }
}

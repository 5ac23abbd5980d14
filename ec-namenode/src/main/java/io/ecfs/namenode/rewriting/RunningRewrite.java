package io.ecfs.namenode.rewriting;

import io.ecfs.error.Invariant;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.SealedGroup;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One rewrite under way: a group of the log that a datanode fills. Owner thread: the namenode's event thread. */
final class RunningRewrite {
    private static final Logger LOG = LoggerFactory.getLogger(RunningRewrite.class);

    /**
     * Stage of a rewrite.
     *
     * <pre>
     *   ORDERED    --reported--&gt; COMMITTING --logged--&gt; removed
     *   ORDERED    --failed, or late--&gt; ABORTING --logged--&gt; removed
     *   COMMITTING --refused--&gt; ABORTING
     * </pre>
     */
    enum Stage {
        ORDERED,
        COMMITTING,
        ABORTING;

        Set<Stage> next() {
            return switch (this) {
                case ORDERED -> EnumSet.of(COMMITTING, ABORTING);
                case COMMITTING -> EnumSet.of(ABORTING);
                case ABORTING -> EnumSet.noneOf(Stage.class);
            };
        }
    }

    final RewriteJob job;
    final Need.Rewrite need;
    final DatanodeOrder.Rewrite order;
    final DatanodeId datanode;
    final long sinceMillis;
    /** Of its datanode; it counts once the datanodes of all chunks have reported these, too. */
    Optional<SealedGroup> report = Optional.empty();

    private Stage stage = Stage.ORDERED;
    private boolean sent;

    /** @param datanode that fills the group */
    RunningRewrite(
            RewriteJob job, Need.Rewrite need, DatanodeOrder.Rewrite order, DatanodeId datanode, long sinceMillis) {
        this.job = job;
        this.need = need;
        this.order = order;
        this.datanode = datanode;
        this.sinceMillis = sinceMillis;
    }

    VolumeId volume() {
        return order.volume();
    }

    /** Returns whether a datanode's answer is to this order, and not to an earlier one for the same number. */
    boolean answeredBy(ChunkChange.Rewritten answer) {
        boolean sameGroup =
                answer.stamp().map(stamp -> stamp == order.target().stamp()).orElse(true);
        return sameGroup && volume().equals(answer.volume());
    }

    boolean ordered() {
        return stage == Stage.ORDERED;
    }

    /** Returns whether the order was not sent yet; it counts as sent now. */
    boolean firstOrder() {
        boolean first = ordered() && !sent;
        sent = true;
        return first;
    }

    void become(Stage next, String reason) {
        Invariant.check(
                stage.next().contains(next),
                "the rewrite to %s goes from %s to %s",
                order.target().group(),
                stage,
                next);
        LOG.debug(
                "event=rewrite_state group={} from={} to={} reason=\"{}\"",
                order.target().group(),
                stage,
                next,
                reason);
        stage = next;
    }
}

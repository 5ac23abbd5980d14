package io.ecfs.namenode.reconstruction;

import io.ecfs.error.Invariant;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.report.RebuildNotes;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to rebuild one chunk, as the leader sees it.
 *
 * <pre>
 *   PLANNED --the log gave a generation--> ORDERED --target published it--> REBUILT --the log took it--> COMMITTED
 *      |                                      |                               |
 *      +-- refused ---------------------------+-- target failed or died, -----+-- refused --> FAILED
 *                                                 deadline, no longer needed
 * </pre>
 *
 * Both ends are final: another attempt is another object with another generation. Owner thread: the namenode's event
 * thread.
 */
public final class ChunkRepair {
    private static final Logger LOG = LoggerFactory.getLogger(ChunkRepair.class);

    /** Stages of an attempt. */
    enum Stage {
        PLANNED,
        ORDERED,
        REBUILT,
        COMMITTED,
        FAILED;

        Set<Stage> next() {
            return switch (this) {
                case PLANNED -> EnumSet.of(ORDERED, FAILED);
                case ORDERED -> EnumSet.of(REBUILT, FAILED);
                case REBUILT -> EnumSet.of(COMMITTED, FAILED);
                case COMMITTED, FAILED -> EnumSet.noneOf(Stage.class);
            };
        }

        boolean over() {
            return next().isEmpty();
        }
    }

    public final GroupId group;
    public final int index;
    public final VolumeId target;
    public final DatanodeId targetDatanode;
    final long writer;
    /** Reason of the rebuild. */
    public final Found found;

    public final long sinceMillis;
    private Stage stage = Stage.PLANNED;
    private long orderedMillis;
    private boolean handedOut;
    private Optional<RebuildNotes.Note> note = Optional.empty();
    private Optional<DatanodeOrder.Rebuild> order = Optional.empty();

    ChunkRepair(
            GroupId group,
            int index,
            VolumeId target,
            DatanodeId targetDatanode,
            long writer,
            Found found,
            long sinceMillis) {
        this.group = group;
        this.index = index;
        this.target = target;
        this.targetDatanode = targetDatanode;
        this.writer = writer;
        this.found = found;
        this.orderedMillis = sinceMillis;
        this.sinceMillis = sinceMillis;
        LOG.info(
                "event=repair_planned group={} index={} target={} datanode={} cause=\"{}\"",
                group,
                index,
                target,
                targetDatanode,
                found.text());
    }

    Stage stage() {
        return stage;
    }

    /** Returns whether the chunk is intact and moves elsewhere. */
    boolean isMove() {
        return found.cause().planned();
    }

    /** Returns whether users go first; not for chunks on a read-only disk, which are in danger. */
    boolean calm() {
        return isMove() && found.cause().kind() != IncidentCause.Kind.VOLUME_READ_ONLY;
    }

    /** The order for the target, repeated with every heartbeat until it answers. */
    Optional<DatanodeOrder.Rebuild> order() {
        return stage == Stage.ORDERED ? order : Optional.empty();
    }

    /** The order, the first time that this is called after it was made. */
    Optional<DatanodeOrder.Rebuild> firstOrder() {
        Optional<DatanodeOrder.Rebuild> first = handedOut ? Optional.empty() : order();
        handedOut |= first.isPresent();
        return first;
    }

    /** The chunk that this attempt produces; empty before the log named it. */
    public Optional<ChunkId> chunk() {
        return order.map(DatanodeOrder.Rebuild::chunk);
    }

    /** Records the target's report of its work, for this namenode's order or for that of an earlier leader. */
    void onReport(RebuildNotes.Note of) {
        note = Optional.of(of);
    }

    Optional<RebuildWork> work() {
        return note.map(RebuildNotes.Note::work);
    }

    /** Monotonic time at which the target began: computed from its report, which may answer an earlier leader. */
    long startedMillis() {
        return note.map(last -> last.reportedMillis() < orderedMillis
                        ? last.startedMillis()
                        : Math.max(orderedMillis, last.startedMillis()))
                .orElse(orderedMillis);
    }

    void ordered(DatanodeOrder.Rebuild rebuild, long nowMillis) {
        Invariant.check(
                rebuild.volume().equals(target) && rebuild.chunk().index() == index,
                "order %s is not for the repair of index %s of %s",
                rebuild,
                index,
                group);
        order = Optional.of(rebuild);
        orderedMillis = nowMillis;
        to(Stage.ORDERED, "chunk " + rebuild.chunk());
    }

    void rebuilt() {
        to(Stage.REBUILT, "reported by " + targetDatanode);
    }

    void committed() {
        to(Stage.COMMITTED, "published");
    }

    void failed(String reason) {
        to(Stage.FAILED, reason);
    }

    private void to(Stage next, String reason) {
        Invariant.check(
                stage.next().contains(next),
                "repair of index %s of %s cannot go from %s to %s (%s)",
                index,
                group,
                stage,
                next,
                reason);
        LOG.info(
                "event=repair_stage group={} index={} target={} from={} to={} reason=\"{}\"",
                group,
                index,
                target,
                stage,
                next,
                reason);
        stage = next;
    }
}

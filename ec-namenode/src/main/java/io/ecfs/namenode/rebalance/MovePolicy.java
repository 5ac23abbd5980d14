package io.ecfs.namenode.rebalance;

import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.ChunkRepair;
import io.ecfs.namenode.reconstruction.ReconstructionPolicy;
import io.ecfs.namenode.reconstruction.RepairDelays;
import io.ecfs.namenode.reconstruction.RepairSources.Copying;
import io.ecfs.namenode.state.MetadataView;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rules of moves of intact chunks, begun by {@link MovePlanner}: a drain shares the reads of a group, an elective move
 * of {@link Balance} or {@link ChunkMover} copies the chunk. Moves take at most half of the places of reconstruction.
 * Owner thread: the namenode's event thread.
 */
public final class MovePolicy implements ReconstructionPolicy {
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Listener listener;
    private final RepairDelays delays;
    private final Balance balance;
    private final ChunkMover mover;

    /** Receives completed moves. */
    public interface Listener {
        /** The chunk of an index no longer lies on this volume. */
        void moved(VolumeId from, GroupFacts group, int index);
    }

    public MovePolicy(
            long term, NamenodeContext context, ClusterView cluster, EventRecorder recorder, Listener listener) {
        this.context = context;
        this.cluster = cluster;
        this.listener = listener;
        this.delays = new RepairDelays(context);
        this.balance = new Balance(context, cluster);
        this.mover = new ChunkMover(term, context, cluster, recorder, balance);
    }

    @Override
    public RepairDelays delays() {
        return delays;
    }

    public Balance balance() {
        return balance;
    }

    public ChunkMover mover() {
        return mover;
    }

    /** A drain loads all holders of its groups alike; to balance, the fuller volume may well be read alone. */
    @Override
    public Copying copying(ChunkRepair move) {
        return owner(move).isPresent() ? Copying.ALWAYS : Copying.IN_TURN;
    }

    @Override
    public int perDatanode(MetadataView view) {
        return (context.throttles(view).perDatanode() + 1) / 2;
    }

    @Override
    public boolean requiresTargetInService() {
        return true;
    }

    @Override
    public Verdict judge(ChunkRepair move, GroupFacts group) {
        return wanted(move, group) ? new Verdict.Continue() : new Verdict.Abandon("no longer wanted");
    }

    /** True while the source of the move wants it, or its volume is drained. */
    private boolean wanted(ChunkRepair move, GroupFacts group) {
        return owner(move)
                .map(elective -> elective.wants(move))
                .orElseGet(() -> group.places()
                        .get(move.index)
                        .volume()
                        .filter(this::leaves)
                        .isPresent());
    }

    /** The source of an elective move; empty: it is a drain. */
    private Optional<MoveSource> owner(ChunkRepair move) {
        return Stream.<MoveSource>of(balance, mover)
                .filter(elective -> elective.owns(move))
                .findFirst();
    }

    private boolean leaves(VolumeId volume) {
        return cluster.readOnly(volume)
                || cluster.rings().now().leaves(volume)
                || cluster.topology()
                        .owner(volume)
                        .filter(DatanodeFacts::leaving)
                        .isPresent();
    }

    @Override
    public void begun(ChunkRepair move, GroupFacts group) {
        owner(move).ifPresent(elective -> elective.begun(move, group));
    }

    @Override
    public void committed(ChunkRepair move, GroupFacts group) {
        delays.repaired(move.group);
        owner(move).ifPresent(elective -> elective.ended(move, true));
        group.places().get(move.index).volume().ifPresent(from -> listener.moved(from, group, move.index));
    }

    @Override
    public void ended(ChunkRepair move, Verdict.End end) {
        delays.ended(move.group, end);
        owner(move).ifPresent(elective -> elective.ended(move, false));
    }

    /** Groups of which a chunk does not move, for monitoring. */
    public int waiting() {
        return delays.waiting();
    }

    /** Groups of which the last move failed, for monitoring. */
    public int failed() {
        return delays.failed();
    }
}

package io.ecfs.namenode.rewriting;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs conversions of operators, and background jobs, on the leader. Jobs take turns; nothing is rewritten while chunks
 * are reconstructed. Owner thread: the namenode's event thread.
 */
public final class Rewriting {
    private final NamenodeContext context;
    private final RewriteSources sources;
    private final RewriteRoom room;
    private final RunningRewrites rewrites;
    private final ActiveConversions conversions;
    private final List<RewriteJob> background;

    private int turn;
    private boolean goesOn;
    private boolean stopped;

    /**
     * @param stamp of the groups of this term
     * @param onOrder receives each datanode that has a fresh order
     */
    public Rewriting(
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            EventRecorder recorder,
            RewriteSources sources,
            int stamp,
            Consumer<DatanodeId> onOrder) {
        this.context = context;
        this.sources = sources;
        room = new RewriteRoom(context, cluster);
        rewrites = new RunningRewrites(context, cluster, proposer, recorder, sources, stamp, onOrder, this::goOnSoon);
        conversions = new ActiveConversions(context, proposer, recorder, sources);
        background = List.of(new Cleaning(context, cluster, sources), new Sweep(context, sources));
    }

    /** Ends the term. What datanodes have under way is aborted by the next leader, which goes on with conversions. */
    public void stop() {
        stopped = true;
        rewrites.stop();
    }

    /**
     * Checks whether files can be converted to a policy, now or when there is room.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when the cluster has too few datanodes for it, {@code UNSUPPORTED}
     */
    public void requireConvertible(Policy policy) throws EcfsException {
        try (MetadataView view = context.facts().get()) {
            if (view.levelInForce() < FeatureLevel.REWRITES) {
                throw new EcfsException(
                        ErrorCode.UNSUPPORTED,
                        "conversions take feature level " + FeatureLevel.REWRITES + ", in force is "
                                + view.levelInForce() + ": 'ecfs admin finalize-upgrade' raises it");
            }
        }
        Placement.Choice choice = room.ignoringFreeSpace(policy);
        if (choice.volumes().size() < policy.chunks()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    tooFew(policy, choice) + "; choose a policy with fewer chunks, or add datanodes");
        }
    }

    private static String tooFew(Policy policy, Placement.Choice choice) {
        return policy + " needs " + policy.chunks() + " datanodes: " + choice.explain();
    }

    public ActiveConversions conversions() {
        return conversions;
    }

    /** What was rewritten in this term. */
    public RewriteTotals totals() {
        return rewrites.totals();
    }

    /** The facts have another conversion, or one was paused, resumed or cancelled. */
    public void conversionsChanged() {
        try (MetadataView view = context.facts().get()) {
            conversions.update(view);
        }
        goOnSoon();
    }

    public void tick() {
        rewrites.tick();
        try (MetadataView view = context.facts().get()) {
            if (view.levelInForce() < FeatureLevel.REWRITES) {
                return;
            }
            conversions.update(view);
        }
        conversions.tick();
        goOn();
    }

    private void goOnSoon() {
        if (!goesOn) {
            goesOn = true;
            context.scheduler().execute(() -> {
                goesOn = false;
                if (!stopped) {
                    goOn();
                }
            });
        }
    }

    /** One step of each job, another one first each time; they go on when others have had their turn. */
    private void goOn() {
        if (stopped || !rewrites.settled()) {
            return;
        }
        List<RewriteJob> jobs = new ArrayList<>(background);
        jobs.addAll(conversions.going());
        Collections.rotate(jobs, -(turn++ % jobs.size()));
        try (MetadataView view = context.facts().get()) {
            jobs.forEach(job -> step(view, job));
        }
        conversions.openIncident(rewrites.running(RewriteReason.CONVERSION));
        conversions.recordEnds();
    }

    private void step(MetadataView view, RewriteJob job) {
        boolean counts = job.onlyCounts();
        Optional<String> blocked = counts ? Optional.empty() : sources.blocked();
        job.blocked(blocked);
        if (blocked.isPresent() || (!counts && !rewrites.free())) {
            return;
        }
        Need need = job.next(view);
        boolean goes = !(need instanceof Need.Nothing);
        if (need instanceof Need.Rewrite rewrite) {
            goes = begin(view, job, rewrite);
        } else if (need instanceof Need.Adoption adoption) {
            rewrites.adopt(job, adoption);
        }
        if (goes) {
            goOnSoon();
        }
    }

    /** Begins a rewrite; returns false, and has it put back, when it has no room: the next tick tries again. */
    private boolean begin(MetadataView view, RewriteJob job, Need.Rewrite rewrite) {
        Placement.Choice choice = room.choose(job, rewrite);
        if (choice.volumes().size() < rewrite.policy().chunks()) {
            job.putBack(rewrite);
            job.blocked(Optional.of(tooFew(rewrite.policy(), choice)));
            return false;
        }
        rewrites.begin(view, job, rewrite, choice.volumes());
        return true;
    }

    /** Orders for a volume's datanode. */
    public List<DatanodeOrder> orders(VolumeId volume) {
        return rewrites.orders(volume);
    }

    /** Orders for a datanode that were not sent yet; they count as sent now. */
    public List<DatanodeOrder> freshOrders(DatanodeId datanode) {
        return rewrites.freshOrders(datanode);
    }

    /** Checks whether a report answers an order. */
    public void reported(ChunkChange change) {
        rewrites.reported(change);
    }
}

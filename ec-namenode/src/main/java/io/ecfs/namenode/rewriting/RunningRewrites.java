package io.ecfs.namenode.rewriting;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.context.TokenIssuer;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.rewriting.RunningRewrite.Stage;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rewrites under way, at most {@value #AT_ONCE}: begun in the log, ordered from a datanode, and committed or
 * aborted in the log. Owner thread: the namenode's event thread.
 */
final class RunningRewrites {
    private static final Logger LOG = LoggerFactory.getLogger(RunningRewrites.class);

    /** Groups that are rewritten at the same time. */
    static final int AT_ONCE = 2;

    /** Rewrites of an earlier leader that are aborted at a time. */
    private static final int INHERITED = 100;

    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Proposer proposer;
    private final EventRecorder recorder;
    private final RewriteSources sources;
    private final RewriteOrders orders;
    private final int stamp;
    private final Consumer<DatanodeId> onOrder;
    private final Runnable onRoom;
    private final RewriteTotals totals = new RewriteTotals();
    private final Map<GroupId, RunningRewrite> running = new TreeMap<>();
    /** Commands under way that begin a rewrite, or have a file adopt a policy. */
    private int proposed;
    /** No rewrite is left in the facts that is not among those running: of an earlier leader, or not aborted. */
    private boolean settled;

    private boolean stopped;

    /**
     * @param stamp of the groups of this term
     * @param onOrder receives each datanode that has a fresh order
     * @param onRoom called when there is room for another rewrite
     */
    RunningRewrites(
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            EventRecorder recorder,
            RewriteSources sources,
            int stamp,
            Consumer<DatanodeId> onOrder,
            Runnable onRoom) {
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.recorder = recorder;
        this.sources = sources;
        this.orders = new RewriteOrders(new Locator(cluster, new TokenIssuer(context)));
        this.stamp = stamp;
        this.onOrder = onOrder;
        this.onRoom = onRoom;
    }

    RewriteTotals totals() {
        return totals;
    }

    void stop() {
        stopped = true;
    }

    /** Returns whether nothing of an earlier leader is left. */
    boolean settled() {
        return settled;
    }

    /** Returns whether another rewrite may begin. */
    boolean free() {
        return running.size() + proposed < AT_ONCE;
    }

    /** Returns whether groups are being written for this reason. */
    boolean running(RewriteReason reason) {
        return running.values().stream().anyMatch(rewriting -> rewriting.need.reason() == reason);
    }

    void tick() {
        if (!settled && proposed == 0) {
            abortInherited();
        }
        for (RunningRewrite rewriting : List.copyOf(running.values())) {
            if (rewriting.ordered()) {
                watch(rewriting);
            }
        }
    }

    private void abortInherited() {
        List<GroupId> inherited;
        try (MetadataView view = context.facts().get()) {
            inherited = view.rewrites(INHERITED + running.size()).stream()
                    .filter(group -> !running.containsKey(group))
                    .toList();
        }
        settled = inherited.isEmpty();
        for (GroupId group : inherited) {
            LOG.info("event=rewrite_aborted group={} reason=\"it belongs to no job of this term\"", group);
            proposer.propose(new Command.AbortRewrite(context.epochMillis(), group), outcome -> {});
        }
    }

    private void watch(RunningRewrite rewriting) {
        commitWhenReported(rewriting);
        if (!rewriting.ordered()) {
            return;
        }
        Duration deadline = RewriteOrders.deadline(rewriting.order.length());
        if (!cluster.serving(rewriting.volume())) {
            abort(rewriting, "datanode " + rewriting.datanode + ", which wrote it anew, serves no more");
        } else if (context.passed(deadline, rewriting.sinceMillis)) {
            abort(rewriting, "not written anew within " + deadline);
        }
    }

    /**
     * Begins a rewrite of what is still as it was.
     *
     * @param volumes for the chunks of the new group
     */
    void begin(MetadataView view, RewriteJob job, Need.Rewrite rewrite, List<VolumeId> volumes) {
        Set<RewritePiece> present = Set.copyOf(view.knownNamespace().present(rewrite.pieces()));
        Set<InodeId> changed = rewrite.pieces().stream()
                .filter(piece -> !present.contains(piece))
                .map(RewritePiece::file)
                .collect(Collectors.toSet());
        Map<Boolean, List<RewritePiece>> byChange =
                rewrite.pieces().stream().collect(Collectors.partitioningBy(piece -> changed.contains(piece.file())));
        List<RewritePiece> pieces = byChange.get(false);
        if (!changed.isEmpty()) {
            job.notRewritten(view, byChange.get(true), "it changed before it was rewritten");
        }
        if (!pieces.isEmpty()) {
            propose(job, new Need.Rewrite(rewrite.policy(), pieces, rewrite.reason()), volumes);
        }
    }

    private void propose(RewriteJob job, Need.Rewrite rewrite, List<VolumeId> volumes) {
        proposed++;
        proposer.propose(
                new Command.BeginRewrite(context.epochMillis(), rewrite.pieces(), rewrite.policy(), volumes, stamp),
                outcome -> unlessStopped(() -> {
                    proposed--;
                    outcome.resolve(
                            begun -> order(job, rewrite, ((CommandResult.Allocated) begun).group()), failure -> {
                                settled = false; // it may have been logged
                                failed(job, rewrite.pieces(), failure.getMessage());
                            });
                }));
    }

    void adopt(RewriteJob job, Need.Adoption adoption) {
        proposed++;
        proposer.propose(
                new Command.AdoptPolicy(context.epochMillis(), adoption.file(), adoption.policy()),
                outcome -> unlessStopped(() -> {
                    proposed--;
                    Optional<String> reason = outcome instanceof Outcome.Failed<CommandResult> failed
                            ? Optional.of(failed.reason().getMessage())
                            : Optional.empty();
                    try (MetadataView view = context.facts().get()) {
                        job.adopted(view, adoption.file(), reason);
                    }
                    onRoom.run();
                }));
    }

    private void unlessStopped(Runnable action) {
        if (!stopped) {
            action.run();
        }
    }

    private void order(RewriteJob job, Need.Rewrite rewrite, GroupFacts group) {
        VolumeId volume = group.places().get(0).volume().orElseThrow();
        Optional<DatanodeId> datanode = cluster.topology().owner(volume).map(DatanodeFacts::datanode);
        try (MetadataView view = context.facts().get()) {
            DatanodeOrder.Rewrite order = orders.order(view, rewrite.pieces(), group, volume, datanode.orElseThrow());
            running.put(
                    group.group(),
                    new RunningRewrite(job, rewrite, order, datanode.orElseThrow(), context.nowMillis()));
            onOrder.accept(datanode.orElseThrow());
        } catch (EcfsException e) {
            abort(group.group(), job, rewrite.pieces(), e.getMessage());
        }
    }

    /** Orders for a volume's datanode. */
    List<DatanodeOrder> orders(VolumeId volume) {
        return running.values().stream()
                .filter(rewriting -> rewriting.ordered() && rewriting.volume().equals(volume))
                .<DatanodeOrder>map(rewriting -> rewriting.order)
                .toList();
    }

    /** Orders for a datanode that were not sent yet; they count as sent now. */
    List<DatanodeOrder> freshOrders(DatanodeId datanode) {
        return running.values().stream()
                .filter(rewriting -> rewriting.datanode.equals(datanode) && rewriting.firstOrder())
                .<DatanodeOrder>map(rewriting -> rewriting.order)
                .toList();
    }

    /** Checks whether a report answers an order. */
    void reported(ChunkChange change) {
        if (change instanceof ChunkChange.Rewritten answer) {
            Optional.ofNullable(running.get(answer.group()))
                    .filter(rewriting -> rewriting.ordered() && rewriting.answeredBy(answer))
                    .ifPresent(rewriting -> answered(rewriting, answer));
        } else {
            change.reportedChunk().map(chunk -> running.get(chunk.group())).ifPresent(this::commitWhenReported);
        }
    }

    private void answered(RunningRewrite rewriting, ChunkChange.Rewritten answer) {
        if (answer.finished().isEmpty()) {
            abort(rewriting, answer.reason());
        } else {
            rewriting.report = Optional.of(new SealedGroup(answer.group(), answer.length(), answer.finished()));
            commitWhenReported(rewriting);
        }
    }

    /** Old groups go with the commit: each new chunk must have been reported by the datanode that has it. */
    private void commitWhenReported(RunningRewrite rewriting) {
        Optional<SealedGroup> report = rewriting.report.filter(each -> rewriting.ordered());
        if (report.isEmpty()) {
            return;
        }
        if (rewriting.order.sources().stream().anyMatch(source -> sources.suspected(source.group()))) {
            abort(rewriting, "chunks of a source contradict each other");
            return;
        }
        try (MetadataView view = context.facts().get()) {
            boolean reported = view.group(report.get().group())
                    .map(open -> open.sealed(report.get().length(), open.places()))
                    .filter(full -> cluster.live(full).size() == full.policy().chunks())
                    .isPresent();
            if (reported) {
                commit(rewriting, report.get());
            }
        }
    }

    private void commit(RunningRewrite rewriting, SealedGroup report) {
        rewriting.become(Stage.COMMITTING, "all chunks are on disk");
        proposer.propose(
                new Command.CommitRewrite(context.epochMillis(), report),
                outcome -> unlessStopped(() -> outcome.resolve(
                        done -> committed(rewriting, report, ((CommandResult.Committed) done).refused()),
                        failure -> abort(rewriting, failure.getMessage()))));
    }

    private void committed(RunningRewrite rewriting, SealedGroup report, List<RefusedFile> refused) {
        Group target = rewriting.order.target();
        running.remove(target.group());
        long written = GroupLayout.storedBytes(target.policy(), report.length());
        long read = rewriting.order.userBytes();
        RewriteReason reason = rewriting.need.reason();
        totals.rewritten(reason, read, written);
        recorder.note(new ClusterEvent.GroupRewritten(
                IncidentCause.rewritten(),
                target.group(),
                reason.text(),
                target.policy().chunks(),
                read,
                written));
        try (MetadataView view = context.facts().get()) {
            rewriting.job.rewritten(view, rewriting.need.pieces(), refused);
        }
        onRoom.run();
    }

    private void abort(RunningRewrite rewriting, String reason) {
        rewriting.become(Stage.ABORTING, reason);
        abort(rewriting.order.target().group(), rewriting.job, rewriting.need.pieces(), reason);
    }

    private void abort(GroupId group, RewriteJob job, List<RewritePiece> pieces, String reason) {
        proposer.propose(
                new Command.AbortRewrite(context.epochMillis(), group),
                outcome -> unlessStopped(() -> {
                    if (outcome instanceof Outcome.Failed<CommandResult> failed) {
                        settled = false;
                        LOG.warn(
                                "event=rewrite_not_aborted group={} error=\"{}\"",
                                group,
                                failed.reason().getMessage());
                    }
                    running.remove(group);
                    failed(job, pieces, reason);
                }));
    }

    private void failed(RewriteJob job, List<RewritePiece> pieces, String reason) {
        LOG.info("event=rewrite_failed first={} pieces={} reason=\"{}\"", pieces.get(0), pieces.size(), reason);
        try (MetadataView view = context.facts().get()) {
            job.notRewritten(view, pieces, reason);
        }
        onRoom.run();
    }
}

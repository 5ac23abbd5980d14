package io.ecfs.namenode.rewriting;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Range;
import io.ecfs.message.namespace.LocatedGroup;
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
import io.ecfs.namenode.group.RewriteLayout;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.rewriting.RunningRewrite.Stage;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
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

    /** A rewrite takes at most this long, and a second more for each {@value #SLOWEST} bytes. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private static final long SLOWEST = 256 << 10;

    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Proposer proposer;
    private final Locator locator;
    private final EventRecorder recorder;
    private final RewriteSources sources;
    private final Placement placement;
    private final int stamp;
    private final Consumer<DatanodeId> ordered;
    private final Runnable ended;
    private final RewriteTotals totals = new RewriteTotals();
    private final Map<GroupId, RunningRewrite> running = new TreeMap<>();
    /** Commands under way that begin a rewrite, or have a file adopt a policy. */
    private int proposed;
    /** No rewrite is left in the facts that is not among those running: of an earlier leader, or not aborted. */
    private boolean settled;

    private boolean stopped;

    /**
     * @param stamp of the groups of this term
     * @param ordered receives each datanode that has a fresh order
     * @param ended called when there is room for another rewrite
     */
    RunningRewrites(
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            EventRecorder recorder,
            RewriteSources sources,
            int stamp,
            Consumer<DatanodeId> ordered,
            Runnable ended) {
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.locator = new Locator(cluster, new TokenIssuer(context));
        this.recorder = recorder;
        this.sources = sources;
        this.placement = new Placement(context.settings().minFreeBytes());
        this.stamp = stamp;
        this.ordered = ordered;
        this.ended = ended;
    }

    RewriteTotals totals() {
        return totals;
    }

    void stop() {
        stopped = true;
    }

    /** Returns whether nothing of an earlier leader is left. */
    boolean ready() {
        return settled;
    }

    /** Returns whether another rewrite may begin. */
    boolean free() {
        return running.size() + proposed < AT_ONCE;
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
        Duration deadline = deadline(rewriting.order.length());
        if (!cluster.serving(rewriting.volume())) {
            abort(rewriting, "datanode " + rewriting.datanode + ", which wrote it anew, serves no more");
        } else if (context.passed(deadline, rewriting.sinceMillis)) {
            abort(rewriting, "not written anew within " + deadline);
        }
    }

    private static Duration deadline(long bytes) {
        return DEADLINE.plusSeconds(bytes / SLOWEST);
    }

    /** The volumes that could take a chunk of a new group if they had room. */
    Placement.Choice emptied(Policy policy) {
        return choose(new Placement(0, true), policy);
    }

    /**
     * The volumes that can take a chunk of the new group. What frees more than it takes may use half of the room that
     * users' writes leave, also of volumes that take no other new chunk.
     */
    private Placement.Choice room(RewriteJob job, Need.Rewrite rewrite) {
        long chunk = new GroupLayout(rewrite.policy(), rewrite.length()).chunkBytes(0);
        return choose(
                job.freesSpace() ? new Placement(context.settings().minFreeBytes() / 2 + chunk, true) : placement,
                rewrite.policy());
    }

    private Placement.Choice choose(Placement from, Policy policy) {
        return from.choose(
                cluster.candidates(),
                Set.of(),
                policy.chunks(),
                context.environment().randomness());
    }

    /** Begins a rewrite of what is still as it was; returns false, and has it put back, when there is no room. */
    boolean begin(MetadataView view, RewriteJob job, Need.Rewrite rewrite) {
        Policy policy = rewrite.policy();
        Placement.Choice room = room(job, rewrite);
        if (room.volumes().size() < policy.chunks()) {
            job.putBack(rewrite);
            job.heldBack(Optional.of(policy + " needs " + policy.chunks() + " datanodes: " + room.explain()));
            return false;
        }
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
            propose(job, new Need.Rewrite(policy, pieces, rewrite.reason()), room.volumes());
        }
        return true;
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
                    ended.run();
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
            DatanodeOrder.Rewrite order = order(view, rewrite.pieces(), group, volume, datanode.orElseThrow());
            running.put(
                    group.group(),
                    new RunningRewrite(job, rewrite, order, datanode.orElseThrow(), context.nowMillis()));
            ordered.accept(datanode.orElseThrow());
        } catch (EcfsException e) {
            abort(group.group(), job, rewrite.pieces(), e.getMessage());
        }
    }

    private DatanodeOrder.Rewrite order(
            MetadataView view, List<RewritePiece> pieces, GroupFacts group, VolumeId volume, DatanodeId datanode)
            throws EcfsException {
        Duration deadline = deadline(group.policy().groupBytes());
        List<Group> sources = new ArrayList<>();
        for (GroupId id :
                pieces.stream().map(piece -> piece.extent().group()).distinct().toList()) {
            GroupFacts source = view.sealedGroup(id)
                    .orElseThrow(() -> new EcfsException(ErrorCode.FILE_CHANGED, "group " + id + " is gone"));
            sources.add(group(locator.locateFor(datanode, source, deadline), source.length()));
        }
        return new DatanodeOrder.Rewrite(
                volume,
                group(locator.locateFor(datanode, group, deadline), 0),
                sources,
                ranges(pieces, RewriteLayout.of(group.policy(), pieces)));
    }

    private static List<Range> ranges(List<RewritePiece> pieces, RewriteLayout layout) {
        List<Range> ranges = new ArrayList<>(pieces.size());
        for (int i = 0; i < pieces.size(); i++) {
            Extent extent = pieces.get(i).extent();
            ranges.add(new Range(
                    extent.group(),
                    extent.groupOffset(),
                    extent.length(),
                    layout.begins().get(i)));
        }
        return ranges;
    }

    private static Group group(LocatedGroup located, long length) {
        return new Group(located.group(), located.policy(), length, located.chunks(), located.token());
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
                    .filter(rewriting ->
                            rewriting.ordered() && rewriting.volume().equals(answer.volume()))
                    .ifPresent(rewriting -> answered(rewriting, answer));
        } else {
            change.reportedChunk().map(chunk -> running.get(chunk.group())).ifPresent(this::commitWhenReported);
        }
    }

    private void answered(RunningRewrite rewriting, ChunkChange.Rewritten answer) {
        if (answer.finished().isEmpty()) {
            abort(rewriting, answer.reason());
        } else {
            rewriting.filled = Optional.of(new SealedGroup(answer.group(), answer.length(), answer.finished()));
            commitWhenReported(rewriting);
        }
    }

    /** Old groups go with the commit: each new chunk must have been reported by the datanode that has it. */
    private void commitWhenReported(RunningRewrite rewriting) {
        Optional<SealedGroup> filled = rewriting.filled.filter(word -> rewriting.ordered());
        if (filled.isEmpty()) {
            return;
        }
        if (rewriting.order.sources().stream().anyMatch(source -> sources.suspected(source.group()))) {
            abort(rewriting, "chunks of a source contradict each other");
            return;
        }
        try (MetadataView view = context.facts().get()) {
            boolean reported = view.group(filled.get().group())
                    .map(open -> open.sealed(filled.get().length(), open.places()))
                    .filter(full -> cluster.live(full).size() == full.policy().chunks())
                    .isPresent();
            if (reported) {
                commit(rewriting, filled.get());
            }
        }
    }

    private void commit(RunningRewrite rewriting, SealedGroup word) {
        rewriting.become(Stage.COMMITTING, "all chunks are on disk");
        proposer.propose(
                new Command.CommitRewrite(context.epochMillis(), word),
                outcome -> unlessStopped(() -> outcome.resolve(
                        done -> committed(rewriting, word, ((CommandResult.Committed) done).refused()),
                        failure -> abort(rewriting, failure.getMessage()))));
    }

    private void committed(RunningRewrite rewriting, SealedGroup word, List<RefusedFile> refused) {
        Group target = rewriting.order.target();
        running.remove(target.group());
        long written = GroupLayout.storedBytes(target.policy(), word.length());
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
        ended.run();
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
        ended.run();
    }
}

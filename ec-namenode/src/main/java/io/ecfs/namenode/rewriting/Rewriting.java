package io.ecfs.namenode.rewriting;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Range;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceRequest.ConvertFiles;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.report.Conversion;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.rewriting.FileConversion.Need;
import io.ecfs.namenode.rewriting.FileConversion.Requester;
import io.ecfs.namenode.rewriting.GroupRewriting.Stage;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conversions of files to another policy, on the leader: at most {@value #AT_ONCE} groups are rewritten at a time, none
 * while chunks are reconstructed. Owner thread: the namenode's event thread.
 */
public final class Rewriting {
    private static final Logger LOG = LoggerFactory.getLogger(Rewriting.class);

    /** Groups that are rewritten at the same time. */
    static final int AT_ONCE = 2;

    /** Conversions that go on at the same time, and ended ones that are remembered. */
    private static final int MOST_CONVERSIONS = 100;

    /** Rewrites of an earlier leader that are aborted at a time. */
    private static final int INHERITED = 100;

    /** A rewrite takes at most this long, and a second more for each {@value #SLOWEST} bytes. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private static final long SLOWEST = 256 << 10;

    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Proposer proposer;
    private final HealthSurvey survey;
    private final Locator locator;
    private final Placement placement;
    private final int stamp;
    private final BooleanSupplier reconstructing;
    private final Predicate<GroupId> suspected;
    private final Consumer<DatanodeId> ordered;
    private final Map<Long, FileConversion> conversions = new LinkedHashMap<>();
    private final Map<GroupId, GroupRewriting> running = new TreeMap<>();
    private long lastJob;
    /** Commands under way that begin a rewrite, or have a file adopt a policy. */
    private int proposed;
    /** No rewrite is left in the facts that is not among those running: of an earlier leader, or not aborted. */
    private boolean clean;

    private boolean goesOn;
    private boolean stopped;

    /**
     * @param stamp of the groups of this term
     * @param reconstructing whether lost chunks are being rebuilt
     * @param suspected whether chunks of a group contradict each other
     * @param ordered receives each datanode that has a fresh order
     */
    public Rewriting(
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            HealthSurvey survey,
            Locator locator,
            int stamp,
            BooleanSupplier reconstructing,
            Predicate<GroupId> suspected,
            Consumer<DatanodeId> ordered) {
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.survey = survey;
        this.locator = locator;
        this.placement = new Placement(context.settings().minFreeBytes());
        this.stamp = stamp;
        this.reconstructing = reconstructing;
        this.suspected = suspected;
        this.ordered = ordered;
    }

    /** Ends the term. What datanodes have under way is aborted by the next leader. */
    public void stop() {
        stopped = true;
    }

    /**
     * Begins a conversion that a user may ask for.
     *
     * @param top the file or directory at the path
     * @return its number, also for one that is asked for again
     * @throws EcfsException {@code INVALID_ARGUMENT} for a policy that the cluster has too few datanodes for,
     *     {@code ALREADY_EXISTS} when files of the path are being converted, {@code BUSY}, {@code UNSUPPORTED}
     */
    public long begin(ConvertFiles request, Inode top, String user, boolean superuser) throws EcfsException {
        for (FileConversion known : conversions.values()) {
            if (known.request().equals(request)) {
                return known.job();
            }
        }
        check(request);
        FileConversion conversion = new FileConversion(
                ++lastJob, request, new Requester(user, superuser), top, context::nowMillis, this::unreadable);
        conversions.put(conversion.job(), conversion);
        conversions.values().stream()
                .filter(FileConversion::ended)
                .findFirst()
                .filter(oldest -> conversions.size() > MOST_CONVERSIONS)
                .ifPresent(oldest -> conversions.remove(oldest.job()));
        LOG.info(
                "event=conversion_begun job={} path={} policy={} user={} dryRun={}",
                conversion.job(),
                request.path(),
                request.policy(),
                user,
                request.dryRun());
        goOnSoon();
        return conversion.job();
    }

    private void check(ConvertFiles request) throws EcfsException {
        Policy policy = request.policy();
        try (MetadataView view = context.facts().get()) {
            if (view.levelInForce() < FeatureLevel.REWRITES) {
                throw new EcfsException(
                        ErrorCode.UNSUPPORTED,
                        "conversions take feature level " + FeatureLevel.REWRITES + ", in force is "
                                + view.levelInForce() + ": 'ecfs admin finalize-upgrade' raises it");
            }
        }
        Placement.Choice room = room(policy);
        if (room.volumes().size() < policy.chunks()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    policy + " needs " + policy.chunks() + " datanodes: " + room.explain()
                            + "; choose a policy with fewer chunks, or add datanodes");
        }
        int going = 0;
        for (FileConversion known : conversions.values()) {
            going += known.ended() ? 0 : 1;
            FilePath path = known.request().path();
            boolean counts = known.request().dryRun() || request.dryRun();
            if (!known.ended()
                    && !counts
                    && (path.contains(request.path()) || request.path().contains(path))) {
                throw new EcfsException(
                        ErrorCode.ALREADY_EXISTS,
                        path + " is being converted to " + known.policy() + " already (conversion " + known.job()
                                + "): wait for its end");
            }
        }
        if (going >= MOST_CONVERSIONS) {
            throw new EcfsException(
                    ErrorCode.BUSY, going + " conversions go on already: wait until one of them has ended");
        }
    }

    private Placement.Choice room(Policy policy) {
        return placement.choose(
                cluster.candidates(),
                Set.of(),
                policy.chunks(),
                context.environment().randomness());
    }

    /** The conversions of a user; of all when it is empty. */
    public List<Conversion> report(Optional<String> user) {
        return conversions.values().stream()
                .filter(conversion ->
                        user.map(conversion.requester().user()::equals).orElse(true))
                .map(FileConversion::report)
                .toList();
    }

    public void tick() {
        if (!clean && proposed == 0) {
            abortInherited();
        }
        for (GroupRewriting rewriting : List.copyOf(running.values())) {
            if (rewriting.ordered()) {
                watch(rewriting);
            }
        }
        goOn();
    }

    private void abortInherited() {
        List<GroupId> inherited;
        try (MetadataView view = context.facts().get()) {
            inherited = view.rewrites(INHERITED + running.size()).stream()
                    .filter(group -> !running.containsKey(group))
                    .toList();
        }
        clean = inherited.isEmpty();
        for (GroupId group : inherited) {
            LOG.info("event=rewrite_aborted group={} reason=\"it belongs to no conversion of this term\"", group);
            proposer.propose(new Command.AbortRewrite(context.epochMillis(), group), outcome -> {});
        }
    }

    private void watch(GroupRewriting rewriting) {
        Duration deadline = DEADLINE.plusSeconds(rewriting.order.length() / SLOWEST);
        commitWhenReported(rewriting);
        if (!rewriting.ordered()) {
            return;
        }
        if (!cluster.serving(rewriting.volume())) {
            abort(rewriting, "datanode " + rewriting.datanode + ", which wrote it anew, serves no more");
        } else if (context.passed(deadline, rewriting.sinceMillis)) {
            abort(rewriting, "not written anew within " + deadline);
        }
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

    /** Takes a few steps of each conversion. */
    private void goOn() {
        if (stopped || !clean) {
            return;
        }
        try (MetadataView view = context.facts().get()) {
            for (FileConversion conversion : conversions.values()) {
                if (!conversion.ended()) {
                    step(view, conversion);
                }
            }
        }
    }

    /** One step; the next one follows when others have had their turn. */
    private void step(MetadataView view, FileConversion conversion) {
        Optional<String> held = conversion.counts() ? Optional.empty() : heldBack();
        conversion.heldBack(held);
        if (held.isPresent() || (!conversion.counts() && running.size() + proposed >= AT_ONCE)) {
            return;
        }
        Need need = conversion.next(view);
        if (need instanceof Need.Rewrite rewrite) {
            propose(conversion, rewrite.pieces());
        } else if (need instanceof Need.Adoption adoption) {
            propose(conversion, adoption.file());
        }
        if (!(need instanceof Need.Nothing)) {
            goOnSoon();
        }
    }

    private Optional<String> heldBack() {
        if (!survey.firstPassDone()) {
            return Optional.of("the leader compares chunks with the facts first");
        }
        return reconstructing.getAsBoolean() ? Optional.of("lost chunks are reconstructed first") : Optional.empty();
    }

    /** The reason why the bytes of a sealed group are not to be copied now. */
    private Optional<String> unreadable(GroupFacts group) {
        if (suspected.test(group.group())) {
            return Optional.of("chunks of group " + group.group() + " contradict each other");
        }
        boolean whole = survey.lacking(group.group()).isEmpty()
                && cluster.live(group).size() == group.policy().chunks();
        return whole ? Optional.empty() : Optional.of("group " + group.group() + " lacks chunks");
    }

    private void propose(FileConversion conversion, List<RewritePiece> pieces) {
        Placement.Choice room = room(conversion.policy());
        if (room.volumes().size() < conversion.policy().chunks()) {
            conversion.putBack(pieces);
            conversion.heldBack(Optional.of(
                    conversion.policy() + " needs " + conversion.policy().chunks() + " datanodes: " + room.explain()));
            return;
        }
        proposed++;
        Command begin =
                new Command.BeginRewrite(context.epochMillis(), pieces, conversion.policy(), room.volumes(), stamp);
        proposer.propose(
                begin,
                outcome -> answered(() -> {
                    proposed--;
                    outcome.resolve(
                            begun -> order(conversion, pieces, ((CommandResult.Allocated) begun).group()), failure -> {
                                clean = false; // it may have been logged
                                failed(conversion, pieces, failure.getMessage());
                            });
                }));
    }

    private void propose(FileConversion conversion, InodeId file) {
        proposed++;
        proposer.propose(
                new Command.AdoptPolicy(context.epochMillis(), file, conversion.policy()),
                outcome -> answered(() -> {
                    proposed--;
                    String reason = outcome instanceof Outcome.Failed<CommandResult> failed
                            ? failed.reason().getMessage()
                            : "";
                    try (MetadataView view = context.facts().get()) {
                        conversion.adopted(view, file, reason);
                    }
                    goOnSoon();
                }));
    }

    private void answered(Runnable action) {
        if (!stopped) {
            action.run();
        }
    }

    private void order(FileConversion conversion, List<RewritePiece> pieces, GroupFacts group) {
        VolumeId volume = group.places().get(0).volume().orElseThrow();
        Optional<DatanodeId> datanode = cluster.topology().owner(volume).map(DatanodeFacts::datanode);
        try (MetadataView view = context.facts().get()) {
            DatanodeOrder.Rewrite order = order(view, pieces, group, volume, datanode.orElseThrow());
            running.put(
                    group.group(),
                    new GroupRewriting(conversion, pieces, order, datanode.orElseThrow(), context.nowMillis()));
            ordered.accept(datanode.orElseThrow());
        } catch (EcfsException e) {
            abort(group.group(), conversion, pieces, e.getMessage());
        }
    }

    private DatanodeOrder.Rewrite order(
            MetadataView view, List<RewritePiece> pieces, GroupFacts group, VolumeId volume, DatanodeId datanode)
            throws EcfsException {
        Duration deadline = DEADLINE.plusSeconds(group.policy().groupBytes() / SLOWEST);
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
                pieces.stream()
                        .map(piece -> new Range(
                                piece.extent().group(),
                                piece.extent().groupOffset(),
                                piece.extent().length()))
                        .collect(Collectors.toList()));
    }

    private static Group group(LocatedGroup located, long length) {
        return new Group(located.group(), located.policy(), length, located.chunks(), located.token());
    }

    /** Orders for a volume's datanode. */
    public List<DatanodeOrder> orders(VolumeId volume) {
        return running.values().stream()
                .filter(rewriting -> rewriting.ordered() && rewriting.volume().equals(volume))
                .<DatanodeOrder>map(rewriting -> rewriting.order)
                .toList();
    }

    /** Orders for a datanode that were not sent yet; they count as sent now. */
    public List<DatanodeOrder> freshOrders(DatanodeId datanode) {
        return running.values().stream()
                .filter(rewriting -> rewriting.datanode.equals(datanode) && rewriting.firstOrder())
                .<DatanodeOrder>map(rewriting -> rewriting.order)
                .toList();
    }

    /** Checks whether a report answers an order. */
    public void reported(ChunkChange change) {
        if (change instanceof ChunkChange.Rewritten answer) {
            Optional.ofNullable(running.get(answer.group()))
                    .filter(rewriting ->
                            rewriting.ordered() && rewriting.volume().equals(answer.volume()))
                    .ifPresent(rewriting -> answered(rewriting, answer));
        } else {
            change.reportedChunk().map(chunk -> running.get(chunk.group())).ifPresent(this::commitWhenReported);
        }
    }

    private void answered(GroupRewriting rewriting, ChunkChange.Rewritten answer) {
        if (answer.finished().isEmpty()) {
            abort(rewriting, answer.reason());
        } else {
            rewriting.filled = Optional.of(new SealedGroup(answer.group(), answer.length(), answer.finished()));
            commitWhenReported(rewriting);
        }
    }

    /** Old groups go with the commit: each new chunk must have been reported by the datanode that has it. */
    private void commitWhenReported(GroupRewriting rewriting) {
        Optional<SealedGroup> filled = rewriting.filled.filter(word -> rewriting.ordered());
        if (filled.isEmpty()) {
            return;
        }
        if (rewriting.order.sources().stream().anyMatch(source -> suspected.test(source.group()))) {
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

    private void commit(GroupRewriting rewriting, SealedGroup word) {
        rewriting.become(Stage.COMMITTING, "all chunks are on disk");
        proposer.propose(
                new Command.CommitRewrite(context.epochMillis(), word),
                outcome -> answered(() -> outcome.resolve(
                        done -> committed(rewriting, ((CommandResult.Committed) done).refused()),
                        failure -> abort(rewriting, failure.getMessage()))));
    }

    private void committed(GroupRewriting rewriting, List<RefusedFile> refused) {
        running.remove(rewriting.order.target().group());
        try (MetadataView view = context.facts().get()) {
            rewriting.conversion.rewritten(view, rewriting.pieces, refused);
        }
        goOnSoon();
    }

    private void abort(GroupRewriting rewriting, String reason) {
        rewriting.become(Stage.ABORTING, reason);
        abort(rewriting.order.target().group(), rewriting.conversion, rewriting.pieces, reason);
    }

    private void abort(GroupId group, FileConversion conversion, List<RewritePiece> pieces, String reason) {
        proposer.propose(
                new Command.AbortRewrite(context.epochMillis(), group),
                outcome -> answered(() -> {
                    if (outcome instanceof Outcome.Failed<CommandResult> failed) {
                        clean = false;
                        LOG.warn(
                                "event=rewrite_not_aborted group={} error=\"{}\"",
                                group,
                                failed.reason().getMessage());
                    }
                    running.remove(group);
                    failed(conversion, pieces, reason);
                }));
    }

    private void failed(FileConversion conversion, List<RewritePiece> pieces, String reason) {
        LOG.info(
                "event=rewrite_failed job={} first={} pieces={} reason=\"{}\"",
                conversion.job(),
                pieces.get(0),
                pieces.size(),
                reason);
        try (MetadataView view = context.facts().get()) {
            conversion.notRewritten(view, pieces, reason);
        }
        goOnSoon();
    }
}

package io.ecfs.namenode.lease;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.env.Cancellable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.tail.RecoverableLength;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the files that the facts say are in recovery, on the leader: shuts the old writer out of the open group's
 * chunks, collects what they hold, and closes the file at the {@link RecoverableLength}.
 *
 * <pre>
 *   (lease scan) --> COLLECTING --all live datanodes answered, or grace passed and k answered--> CLOSING --applied-.
 *        ^               |                                                                        ^   |          v
 *        |               |-- the length ends in tail records --> FILLING --all live chunks have --|   |        (gone)
 *        |               `-- live chunks end before it -----------^ |      it, or grace passed,   |   |
 *        |                                                          |      and k have it ---------'   |
 *        |                                                          | cannot                          | failed
 *        `----- while the facts still say so, with a new fence -- (gone) <----------------------------'
 * </pre>
 *
 * FILLING: every live datanode brings its chunk up to the full stripes that others have, so that the group is sealed
 * with all of them, and then gives it the cell that it has of the tail, from the tail records. The chunks stay open and
 * keep their logs until the group is sealed in the facts, so that whatever breaks off in between is begun again with
 * nothing lost, and may come to another length.
 *
 * <p>Orders go out at once, and repeat with every heartbeat until they are answered. A new leader begins again with a
 * new fence: nothing depends on one delivery. It waits for ever and loses nothing as long as those who did not answer
 * may hold acknowledged bytes that the others do not give ({@link io.ecfs.tail.UnreachableChunks}), until the datanodes
 * of those are dead where nothing finished proves them. Owner thread: the namenode's event thread.
 */
public final class GroupRecovery {
    private static final FunctionTable<ChunkChange, GroupRecovery, Void> ON_CHANGE =
            FunctionTable.<ChunkChange, GroupRecovery, Void>of(ChunkChange.class)
                    .run(ChunkChange.Fenced.class, GroupRecovery::fenced)
                    .run(ChunkChange.Present.class, GroupRecovery::present)
                    .run(ChunkChange.Gone.class, GroupRecovery::gone)
                    .ignore(
                            ChunkChange.RepairFailed.class,
                            ChunkChange.ParityChecked.class,
                            ChunkChange.Compared.class,
                            ChunkChange.Rewritten.class)
                    .build();

    private static final Logger LOG = LoggerFactory.getLogger(GroupRecovery.class);

    /** Rounds of recovery in one term, at most; a leader lasts no decade. */
    private static final int ROUND_BITS = 32;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final Proposer proposer;
    private final Locator locator;
    private final Map<InodeId, RecoveringFile> files = new TreeMap<>();
    private final Map<GroupId, RecoveringFile> groups = new TreeMap<>();
    /** Files with orders for a volume that were not sent yet. */
    private final Map<VolumeId, Set<RecoveringFile>> fresh = new TreeMap<>();

    private final Consumer<DatanodeId> ordered;
    private long lastFence;

    /**
     * @param term of the leader: fences of a later one are above all of an earlier one
     * @param ordered receives each datanode that has fresh orders
     */
    public GroupRecovery(
            long term,
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            Locator locator,
            Consumer<DatanodeId> ordered) {
        this.ordered = ordered;
        this.lastFence = Math.multiplyExact(term, 1L << ROUND_BITS);
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.locator = locator;
    }

    /** Adds a file that is in recovery by the facts; a no-op for one that was added before. */
    public void begin(Lease lease) {
        if (!files.containsKey(lease.file())) {
            RecoveringFile file = recovering(lease);
            LOG.info("event=recovery_begins file={} group={} fence={}", lease.file(), lease.openGroup(), file.fence());
            files.put(lease.file(), file);
            file.group().ifPresent(group -> groups.put(group.group(), file));
            step(file);
            orderAtOnce(file);
        }
    }

    /**
     * Waits for the end of a recovery.
     *
     * @return true as soon as the file is closed; false when it is not after {@code most}, or is not in recovery here
     */
    public CompletableFuture<Boolean> awaitClosed(InodeId file, Duration most) {
        RecoveringFile recovering = files.get(file);
        if (recovering == null) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> answer = recovering.awaitEnd();
        Cancellable limit = context.scheduler().schedule(most, () -> answer.complete(false));
        return answer.whenComplete((closed, failure) -> limit.cancel());
    }

    /** Ends the term: callers that wait ask the new leader. */
    public void stop() {
        files.values()
                .forEach(file -> file.failWaiting(
                        new EcfsException(ErrorCode.NOT_LEADER, "the term of this namenode has ended")));
    }

    /** Orders what the file needs without waiting for the next heartbeats. */
    private void orderAtOnce(RecoveringFile file) {
        if (files.get(file.file()) != file || file.stage() == RecoveringFile.Stage.CLOSING) {
            return;
        }
        List<ChunkOnVolume> stored = file.openGroup().stored();
        stored.forEach(chunk -> fresh.computeIfAbsent(chunk.volume(), volume -> new LinkedHashSet<>())
                .add(file));
        stored.stream()
                .flatMap(chunk -> cluster.topology().owner(chunk.volume()).stream())
                .map(DatanodeFacts::datanode)
                .distinct()
                .forEach(ordered);
    }

    /** Orders for a datanode that were not sent yet; they count as sent now. */
    public List<DatanodeOrder> freshOrders(DatanodeFacts datanode) {
        List<DatanodeOrder> orders = new ArrayList<>();
        for (VolumeId volume : datanode.volumes().values()) {
            Set<RecoveringFile> files = fresh.remove(volume);
            if (files != null) {
                files.forEach(file -> order(file, volume, orders));
            }
        }
        return orders;
    }

    /**
     * A finished chunk needs no fence, but an answer from before its datanode was silent or restarted may cover more
     * than it has now.
     */
    private RecoveringFile recovering(Lease lease) {
        try (MetadataView view = context.facts().get()) {
            RecoveringFile file = new RecoveringFile(
                    lease.file(), lease.openGroup().flatMap(view::group), ++lastFence, context.nowMillis());
            file.group().stream()
                    .flatMap(group -> group.stored().stream())
                    .filter(stored -> cluster.serving(stored.volume()))
                    .forEach(stored -> cluster.catalog()
                            .find(stored.volume(), stored.chunk())
                            .filter(record -> record.state() == ChunkState.FINALISED && !foreign(file, record))
                            .ifPresent(record -> file.holds(record, TailCoverage.NONE)));
            return file;
        }
    }

    /** Number of files in recovery. */
    public int recovering() {
        return files.size();
    }

    /** Time that a file in recovery has waited at most in its present stage; 0 without one. */
    public long longestWaitMillis() {
        long now = context.nowMillis();
        return files.values().stream()
                .mapToLong(file -> now - file.sinceMillis())
                .max()
                .orElse(0);
    }

    /** Checks whether a reported chunk answers an order. */
    public void reported(ChunkChange change) {
        ON_CHANGE.apply(this, change);
    }

    private void fenced(ChunkChange.Fenced fenced) {
        find(fenced.volume(), fenced.record().chunk())
                .filter(file -> fenced.fence() == file.fence())
                .ifPresent(file -> {
                    if (foreign(file, fenced.record())) {
                        file.gone(fenced.record().chunk());
                    } else {
                        file.holds(fenced.record(), fenced.tail().orElse(TailCoverage.NONE), fenced.interrupted());
                    }
                    step(file);
                });
    }

    private void present(ChunkChange.Present present) {
        find(present.volume(), present.record().chunk()).ifPresent(file -> present(file, present.record()));
    }

    private void gone(ChunkChange.Gone gone) {
        find(gone.volume(), gone.chunk()).ifPresent(file -> {
            file.gone(gone.chunk());
            step(file);
        });
    }

    /** Repeats the orders of a volume whose datanode may have restarted with less than it reported before. */
    public void registered(VolumeId volume) {
        for (RecoveringFile file : groups.values()) {
            if (file.stage() != RecoveringFile.Stage.CLOSING) {
                file.openGroup().stored().stream()
                        .filter(stored -> stored.volume().equals(volume))
                        .forEach(stored -> file.unanswered(stored.chunk()));
            }
        }
    }

    private void present(RecoveringFile file, ChunkRecord record) {
        if (foreign(file, record)) {
            file.gone(record.chunk());
            step(file);
        } else if (record.state() != ChunkState.BEING_WRITTEN) {
            file.holds(record, TailCoverage.NONE);
            step(file);
        } else if (file.stage() == RecoveringFile.Stage.FILLING) {
            file.filled(record); // also when it is less than was ordered: what was there before is not
            step(file);
        }
    }

    /**
     * Returns whether this is the chunk of another group that had the number: the group's own was never begun there. A
     * corrupt chunk whose header is lost may be its own.
     */
    private static boolean foreign(RecoveringFile file, ChunkRecord record) {
        boolean unknown = record.state() == ChunkState.CORRUPT && record.stamp() == Stamp.NONE;
        return !unknown && record.stamp() != file.openGroup().stamp();
    }

    private Optional<RecoveringFile> find(VolumeId volume, ChunkId chunk) {
        ChunkOnVolume stored = new ChunkOnVolume(volume, chunk);
        return Optional.ofNullable(groups.get(chunk.group()))
                .filter(file -> file.openGroup().stored().contains(stored));
    }

    /**
     * Fences that the volume has not answered yet, and fills of its chunks that lack full stripes or their cell of a
     * tail.
     */
    public List<DatanodeOrder> orders(VolumeId volume) {
        List<DatanodeOrder> orders = new ArrayList<>();
        groups.values().forEach(file -> order(file, volume, orders));
        return orders;
    }

    private void order(RecoveringFile file, VolumeId volume, List<DatanodeOrder> orders) {
        for (ChunkOnVolume stored : file.openGroup().stored()) {
            if (stored.volume().equals(volume)) {
                if (!file.answered(stored.chunk())) {
                    orders.add(new DatanodeOrder.Fence(volume, stored.chunk(), file.fence()));
                } else if (file.needsStripes(stored.chunk()) || file.needsTail(stored.chunk())) {
                    fill(file, stored).ifPresent(orders::add);
                }
            }
        }
    }

    private Optional<DatanodeOrder> fill(RecoveringFile file, ChunkOnVolume stored) {
        GroupFacts group = file.openGroup();
        Optional<DatanodeFacts> owner = cluster.topology().owner(stored.volume());
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        try {
            LocatedGroup located = locator.locateFor(owner.get().datanode(), group);
            long length = file.target().orElseThrow().length();
            return Optional.of(
                    file.needsStripes(stored.chunk())
                            ? new DatanodeOrder.FillStripes(
                                    stored.volume(),
                                    stored.chunk(),
                                    file.fence(),
                                    group.policy(),
                                    length,
                                    file.stripeSources(located.chunks()),
                                    located.token())
                            : new DatanodeOrder.FillTail(
                                    stored.volume(),
                                    stored.chunk(),
                                    file.fence(),
                                    group.policy(),
                                    length,
                                    file.tailSources(located.chunks()),
                                    located.token()));
        } catch (EcfsException e) {
            LOG.warn("event=chunk_not_filled group={} reason=\"{}\"", group.group(), e.getMessage());
            return Optional.empty();
        }
    }

    public void tick() {
        forgetDeleted();
        List.copyOf(files.values()).forEach(this::step);
    }

    /** Drops files that were deleted: the lease goes with the file, and no result is needed. */
    private void forgetDeleted() {
        if (files.isEmpty()) {
            return;
        }
        try (MetadataView view = context.facts().get()) {
            List.copyOf(files.values()).stream()
                    .filter(file -> file.stage() != RecoveringFile.Stage.CLOSING)
                    .filter(file -> leaseGone(view, file))
                    .forEach(this::forget);
        }
    }

    private static boolean leaseGone(MetadataView view, RecoveringFile file) {
        return view.knownNamespace()
                .lease(file.file())
                .filter(Lease::recovering)
                .isEmpty();
    }

    private void step(RecoveringFile file) {
        switch (file.stage()) {
            case COLLECTING -> collected(file);
            case FILLING -> fillOn(file);
            case CLOSING -> {}
        }
    }

    private void collected(RecoveringFile file) {
        if (file.group().isEmpty()) {
            close(file, Optional.empty());
        } else if (answered(file) && !file.othersMayHoldIt(cluster::permanentlyUnavailable)) {
            // Too few chunks were ever begun for anything to be acknowledged: the length is 0.
            file.recoverable().ifPresentOrElse(found -> closeAt(file, found), () -> close(file, 0, List.of()));
        }
    }

    private void closeAt(RecoveringFile file, RecoverableLength found) {
        boolean stripesToo = fillsStripes();
        if (found.fromRecords()
                || (stripesToo && file.someBehind(found, volume -> !cluster.permanentlyUnavailable(volume)))) {
            LOG.info(
                    "event=recovery_fills file={} group={} length={} fullStripes={}",
                    file.file(),
                    file.openGroup().group(),
                    found.length(),
                    found.fullStripeBytes());
            file.fill(found, stripesToo, context.nowMillis());
            fillOn(file);
            orderAtOnce(file);
        } else {
            close(file, found.length(), found.holders());
        }
    }

    /** Returns whether all datanodes can fill stripes: releases of level 1 cannot. */
    private boolean fillsStripes() {
        try (MetadataView view = context.facts().get()) {
            return view.levelInForce() >= FeatureLevel.FILLED_STRIPES;
        }
    }

    private boolean answered(RecoveringFile file) {
        return context.passed(context.settings().leaseRecoveryWait(), file.sinceMillis())
                || file.openGroup().stored().stream()
                        .allMatch(stored -> file.answered(stored.chunk()) || !cluster.healthyOwner(stored.volume()));
    }

    /**
     * A datanode that answered and is silent since is waited for as well: sealed without it the group survives fewer
     * losses until it is rebuilt.
     */
    private void fillOn(RecoveringFile file) {
        Duration wait = context.settings().leaseRecoveryWait();
        boolean allHave = file.openGroup().stored().stream()
                .noneMatch(stored -> (file.needsStripes(stored.chunk()) || file.needsTail(stored.chunk()))
                        && !cluster.permanentlyUnavailable(stored.volume()));
        RecoverableLength target = file.target().orElseThrow();
        if ((allHave || context.passed(wait, file.sinceMillis())) && file.targetIsReached()) {
            close(file, target.length(), file.targetHolders());
        } else if (context.passed(wait.multipliedBy(3), file.sinceMillis())) {
            // A record became unreadable, or datanodes died meanwhile: the length is determined anew.
            LOG.warn("event=recovery_begins_anew file={} target={}", file.file(), target);
            forget(file);
        }
    }

    private void close(RecoveringFile file, long length, List<ChunkId> holders) {
        close(file, Optional.of(new SealedGroup(file.openGroup().group(), length, holders)));
    }

    private void close(RecoveringFile file, Optional<SealedGroup> last) {
        file.close();
        proposer.propose(new Command.FinishRecovery(context.epochMillis(), file.file(), last), outcome -> {
            outcome.resolve(
                    applied -> {
                        LOG.info("event=recovery_ends file={} last={}", file.file(), last);
                        file.ended(true);
                    },
                    // The log rejected it, or the facts have moved on: the next scan of the leases decides.
                    failure -> LOG.warn(
                            "event=recovery_not_applied file={} last={} reason=\"{}\"",
                            file.file(),
                            last,
                            failure.getMessage()));
            forget(file);
        });
    }

    private void forget(RecoveringFile file) {
        files.remove(file.file());
        file.group().ifPresent(group -> {
            groups.remove(group.group());
            group.stored()
                    .forEach(stored -> fresh.computeIfPresent(stored.volume(), (volume, files) -> {
                        files.remove(file);
                        return files.isEmpty() ? null : files;
                    }));
        });
        file.ended(false);
    }
}

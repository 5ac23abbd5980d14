package io.ecfs.namenode.leader;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.env.Cancellable;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.ConnectProbe;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.context.TokenIssuer;
import io.ecfs.namenode.deletion.DeletionService;
import io.ecfs.namenode.deletion.OrphanService;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.health.SafeMode;
import io.ecfs.namenode.health.UnderReplicationFeed;
import io.ecfs.namenode.lease.GroupRecovery;
import io.ecfs.namenode.lease.LeaseMonitor;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.rebalance.MovePlanner;
import io.ecfs.namenode.rebalance.MovePolicy;
import io.ecfs.namenode.reconstruction.RepairRounds;
import io.ecfs.namenode.reconstruction.RepairService;
import io.ecfs.namenode.rewriting.RewriteSources;
import io.ecfs.namenode.rewriting.Rewriting;
import io.ecfs.namenode.ring.ClockSkew;
import io.ecfs.namenode.ring.RingKeeper;
import io.ecfs.namenode.ring.RingPositions;
import io.ecfs.namenode.scrub.ParityScrubber;
import io.ecfs.namenode.scrub.Replacements;
import io.ecfs.namenode.scrub.Suspects;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term of leading: the leader's services, made when the term begins and dropped when it ends, so that no state
 * outlives the term. Owner thread: the namenode's event thread.
 */
public final class Leader {
    private static final Logger LOG = LoggerFactory.getLogger(Leader.class);

    private final long term;
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final UnderReplicationFeed feed;
    private final FunctionTable<ChunkChange, MetadataView, Void> onChange =
            FunctionTable.<ChunkChange, MetadataView, Void>of(ChunkChange.class)
                    .run(ChunkChange.Present.class, this::present)
                    .run(ChunkChange.Gone.class, this::gone)
                    .ignore(
                            ChunkChange.Fenced.class,
                            ChunkChange.RepairFailed.class,
                            ChunkChange.ParityChecked.class,
                            ChunkChange.Compared.class,
                            ChunkChange.Rewritten.class)
                    .build();
    private final Proposer proposer;
    private final Cancellable ticking;
    private final int stamp;
    private boolean recording;
    private boolean stopped;
    private boolean damageFound;
    private boolean roomFound;

    public final HealthSurvey survey;
    public final SafeMode safeMode;
    public final GroupRecovery recovery;
    public final LeaseMonitor leases;
    public final DeletionService deletion;
    public final RepairService repairs;
    public final OrphanService orphans;
    private final Replacements replacements;
    final HeartbeatOrders orders;
    public final Complaints complaints;
    public final OrderLongPoll longPoll;
    public final IncidentWatch incidents;
    public final MovePolicy moves;
    public final ParityScrubber parity;
    public final Rewriting rewriting;
    public final DrainProgress drains;
    private final Suspects suspects;
    private final RepairRounds rounds;
    private final AdminStateMonitor adminStates;
    private final EventRecorder recorder;
    private final KeyRoller keys;
    public final OtherNamenodes others;
    public final UpgradeFinalization upgrade;
    public final RingPositions ringPositions;
    private final ClockSkew clockSkew;
    private final RingKeeper ringKeeper;
    private final FactsComparison comparison;
    private final ProcessExits exits;

    public Leader(
            Members members,
            long term,
            NamenodeContext context,
            ClusterView cluster,
            UnderReplicationFeed feed,
            HealthSurvey survey,
            MetadataState state,
            Proposer proposer,
            ConnectProbe probe) {
        this.term = term;
        this.feed = feed;
        this.survey = survey;
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.stamp = drawStamp();
        cluster.topology().refresh();
        recorder = new EventRecorder(context, proposer);
        survey.termBegan();
        safeMode = new SafeMode(context, cluster, survey);
        recovery = new GroupRecovery(
                term, context, cluster, proposer, new Locator(cluster, new TokenIssuer(context)), this::ordered);
        leases = new LeaseMonitor(context, proposer, recovery);
        deletion = new DeletionService(context, cluster, proposer, this::checkLater);
        moves = new MovePolicy(term, context, cluster, recorder, this::moved);
        suspects = new Suspects(context, cluster, recorder);
        repairs = new RepairService(
                context,
                cluster,
                proposer,
                survey,
                new TokenIssuer(context),
                recorder,
                moves,
                suspects::disproved,
                listener());
        MovePlanner planner = new MovePlanner(context, cluster, recorder, repairs, moves);
        drains = new DrainProgress(context, cluster, planner, this::whyNotDecommissioned);
        rounds = new RepairRounds(context, cluster, survey, recorder, repairs, planner::plan);
        replacements = new Replacements(
                context,
                cluster,
                new TokenIssuer(context),
                suspects::disproved,
                recorder,
                chunk -> suspects.suspect(chunk.group(), Optional.empty()));
        rewriting = new Rewriting(
                context,
                cluster,
                proposer,
                recorder,
                new RewriteSources(cluster, survey, () -> repairs.running() > repairs.moving(), suspects::suspected),
                stamp,
                this::ordered);
        ringPositions = new RingPositions(context, cluster);
        clockSkew = new ClockSkew(cluster, ringPositions);
        incidents = new IncidentWatch(
                context,
                cluster,
                survey,
                recorder,
                repairs::repairs,
                moves.balance()::going,
                moves.mover()::going,
                rewriting.conversions()::converting,
                () -> suspects.isEmpty() && !replacements.disputes(),
                clockSkew);
        orphans = new OrphanService(context, cluster, proposer, repairs::isRebuilding, replacements);
        adminStates = new AdminStateMonitor(context, cluster, proposer, repairs::rebuildsOn, orphans::replacedChunks);
        parity = new ParityScrubber(context, cluster, new TokenIssuer(context), suspects);
        orders = new HeartbeatOrders(context, cluster, recovery, deletion, repairs, parity, replacements, rewriting);
        complaints = new Complaints(context, orders);
        longPoll = new OrderLongPoll(term, context, this::freshOrders);
        keys = new KeyRoller(context, proposer);
        others = new OtherNamenodes(members, context, state);
        upgrade = new UpgradeFinalization(others, context, cluster, state, proposer);
        exits = new ProcessExits(context, cluster, probe, this::processEnded);
        ringKeeper = new RingKeeper(context, cluster, proposer, ringPositions);
        comparison = new FactsComparison(members.id(), others, context, state, proposer, recorder);
        cluster.topology().volumes().stream()
                .filter(cluster.catalog()::reported)
                .forEach(orphans::reportedFully);
        recorder.note(new ClusterEvent.LeaderChanged(members.id(), term));
        ticking = context.scheduler()
                .scheduleWithFixedDelay(Duration.ZERO, context.settings().tick(), this::tick);
    }

    public long term() {
        return term;
    }

    /** Ends the term. Proposals under way may still be applied; their outcome no longer matters here. */
    public void stop() {
        stopped = true;
        ticking.cancel();
        longPoll.stop();
        exits.stop();
        recovery.stop();
        rewriting.stop();
    }

    private void tick() {
        recordClusterId();
        cluster.topology().refresh();
        keys.tick();
        recorder.tick();
        comparison.tick();
        feed.tick();
        safeMode.check();
        if (safeMode.on()) {
            return;
        }
        leases.tick();
        recovery.tick();
        deletion.tick();
        replacements.tick();
        orphans.tick();
        clockSkew.tick();
        incidents.tick();
        rounds.tick();
        parity.tick();
        rewriting.tick();
        drains.tick();
        ringKeeper.tick();
        adminStates.tick();
        wakeForTheNextDeath();
    }

    /** Schedules a check for a datanode that dies before the next tick. */
    private void wakeForTheNextDeath() {
        long now = context.nowMillis();
        cluster.topology().datanodes().stream()
                .mapToLong(facts -> cluster.table().deadAtMillis(facts.datanode()) - now)
                .filter(left -> left > 0 && left < context.settings().tick().toMillis())
                .min()
                .ifPresent(left -> context.scheduler().schedule(Duration.ofMillis(left), this::searchForDamage));
    }

    /** Plans repairs at once, without waiting for the next tick, because a volume lacks chunks. */
    public void damageFound() {
        if (!damageFound) {
            damageFound = true;
            context.scheduler().execute(this::searchForDamage);
        }
    }

    /** A connection of a datanode to this namenode was closed: its process may have ended. */
    public void connectionClosed(DatanodeId datanode) {
        exits.connectionClosed(datanode);
    }

    private void processEnded(DatanodeId datanode) {
        feed.datanodeChanged(datanode);
        damageFound();
    }

    /** Acts on a changed admin state at once, without waiting for the next tick. */
    public void adminStateChanged() {
        cluster.topology().refresh();
        damageFound();
    }

    private void searchForDamage() {
        damageFound = false;
        if (!stopped && !safeMode.on()) {
            feed.tick();
            incidents.tick();
            rounds.tick();
            wakeForTheNextDeath();
        }
    }

    /** Plans the next repairs at once after one has ended. */
    private void roomFound() {
        if (!roomFound) {
            roomFound = true;
            context.scheduler().execute(() -> {
                roomFound = false;
                if (!stopped && !safeMode.on()) {
                    feed.drainChanges();
                    rounds.planMore();
                }
            });
        }
    }

    private void ordered(DatanodeId datanode) {
        longPoll.ordered(datanode);
    }

    /** Orders for a datanode that do not wait for its next heartbeat and were not sent yet. */
    private List<DatanodeOrder> freshOrders(DatanodeId datanode) {
        List<DatanodeOrder> fresh = new ArrayList<>();
        cluster.topology().datanode(datanode).ifPresent(facts -> fresh.addAll(recovery.freshOrders(facts)));
        fresh.addAll(repairs.freshOrders(datanode));
        fresh.addAll(rewriting.freshOrders(datanode));
        return fresh;
    }

    private RepairService.Listener listener() {
        return new RepairService.Listener() {
            @Override
            public void ordered(DatanodeId target) {
                Leader.this.ordered(target);
            }

            @Override
            public void ended() {
                roomFound();
            }

            @Override
            public void replaced(ChunkOnVolume old) {
                orphans.onUnplaced(old);
            }

            @Override
            public void disputed(GroupId group, Optional<ChunkId> original) {
                suspects.suspect(group, original);
            }

            @Override
            public void repaired(IncidentCause cause) {
                incidents.repaired(cause);
            }
        };
    }

    private void moved(VolumeId from, GroupFacts group, int index) {
        cluster.topology().owner(from).ifPresent(owner -> drains.moved(owner.datanode(), group, index));
    }

    private Optional<String> whyNotDecommissioned(DatanodeId emptied) {
        return adminStates.waiting(emptied);
    }

    private void checkLater(ChunkOnVolume stored) {
        orphans.onUnplaced(stored);
    }

    /** Records the cluster's id, as {@code ecfs namenode format} drew it, with the first entry: a fact from here on. */
    private void recordClusterId() {
        try (MetadataView view = context.facts().get()) {
            if (recording || view.identity().isPresent()) {
                return;
            }
        }
        recording = true;
        Optional<LogIdentity> log = proposer.log();
        String clusterId = log.map(LogIdentity::clusterId)
                .orElseGet(() -> context.environment().randomness().uuid().toString());
        proposer.propose(
                new Command.Format(
                        context.epochMillis(),
                        clusterId,
                        context.settings().superuser(),
                        context.settings().defaultPolicy(),
                        log.map(identity -> identity.log().toString()),
                        Optional.of(proposer.level())),
                outcome -> {
                    recording = false;
                    outcome.resolve(
                            applied -> LOG.info("event=cluster_id_recorded outcome={}", applied),
                            failure -> LOG.info("event=cluster_id_recorded outcome={}", failure.getMessage()));
                    keys.tick();
                    feed.tick();
                });
    }

    public void reported(MetadataView view, ChunkChange change) {
        recovery.reported(change);
        repairs.reported(view, change);
        parity.reported(view, change);
        rewriting.reported(change);
        replacements.reported(change).ifPresent(old -> orphans.checkAgain(view, old));
        onChange.apply(view, change);
    }

    private void present(MetadataView view, ChunkChange.Present present) {
        orders.reported(new ChunkOnVolume(present.volume(), present.record().chunk()));
        orphans.reported(view, present.volume(), present.record());
    }

    private void gone(MetadataView view, ChunkChange.Gone gone) {
        orders.reported(new ChunkOnVolume(gone.volume(), gone.chunk()));
        deletion.gone(view, gone.volume(), gone.chunk());
    }

    /** Repeats orders to a volume whose datanode may have started anew. */
    public void registered(VolumeId volume) {
        recovery.registered(volume);
    }

    public void reportedFully(VolumeId volume) {
        orphans.reportedFully(volume);
    }

    public List<DatanodeOrder> orders(MetadataView view, DatanodeFacts datanode) {
        return orders.orders(view, datanode);
    }

    /**
     * Stamp of all groups that are allocated in this term: a state that was rolled back never gets the same stamp
     * again.
     */
    public int stamp() {
        return stamp;
    }

    private int drawStamp() {
        int drawn;
        do {
            drawn = (int) context.environment().randomness().nextLong();
        } while (drawn == Stamp.NONE);
        return drawn;
    }
}

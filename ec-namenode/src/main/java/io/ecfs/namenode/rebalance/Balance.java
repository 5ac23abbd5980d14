package io.ecfs.namenode.rebalance;

import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.BalanceReport;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.ChunkRepair;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairService.BeginResult;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Balances the fill of volumes, on the leader: in the background, and at an operator's request, which ends with the
 * leader's term or when it is done. Before that it moves chunks of groups that tolerate fewer writers than their ring
 * has. Moves take the places that repairs and drains leave, at the pace of repairs. Owner thread: the namenode's event
 * thread.
 */
public final class Balance implements MoveSource {
    /** Fullest volumes that are scanned side by side. */
    private static final int MOST_SOURCES = 8;

    /** Pause after a scan that found nothing to move. */
    private static final Duration REST = Duration.ofSeconds(5);

    /**
     * A moved chunk counts where it will be until both volumes have reported their load since, but no longer than this
     * after the old chunk is gone.
     */
    private static final Duration SETTLES = Duration.ofMinutes(1);

    /**
     * An old chunk is retained until it was compared with the new one; one that is still there after this counts where
     * it is.
     */
    private static final Duration RETAINED = Duration.ofHours(1);

    private static final double PERMILLE = 1000;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final VolumeWalks walks = new VolumeWalks();
    private final BelowTheRule belowTheRule;
    private final TreeMap<GroupId, Shift> shifts = new TreeMap<>();
    private Optional<Double> asked = Optional.empty();
    private boolean going;
    private long begunMillis;
    private Optional<Long> restsSince = Optional.empty();
    private long chunksMoved;
    private long bytesMoved;

    /**
     * A move that the loads of one or both volumes do not show yet.
     * @param arrivedMillis when the new chunk took its place; empty while it is under way
     * @param leftMillis when the old one was gone
     */
    private record Shift(
            ChunkOnVolume old, VolumeId to, long bytes, Optional<Long> arrivedMillis, Optional<Long> leftMillis) {
        boolean underWay() {
            return arrivedMillis.isEmpty();
        }

        Shift arrived(long now) {
            return new Shift(old, to, bytes, Optional.of(now), leftMillis);
        }

        Shift left(long now) {
            return new Shift(old, to, bytes, arrivedMillis, Optional.of(now));
        }
    }

    Balance(NamenodeContext context, ClusterView cluster) {
        this.context = context;
        this.cluster = cluster;
        this.belowTheRule = new BelowTheRule(context);
    }

    @Override
    public boolean owns(ChunkRepair attempt) {
        return attempt.found.cause().kind() == IncidentCause.Kind.VOLUMES_UNEVEN;
    }

    /** Returns whether chunks are to be moved when volumes are out of balance. */
    boolean on() {
        return asked.isPresent() || context.settings().balance().background();
    }

    @Override
    public boolean going() {
        return going;
    }

    /** Bytes moved in this term. */
    public long bytesMoved() {
        return bytesMoved;
    }

    private double threshold() {
        return asked.orElse(context.settings().balance().threshold());
    }

    public BalanceReport answer(NamespaceRequest.Balance request) {
        double wanted = request.thresholdPermille() > 0
                ? request.thresholdPermille() / PERMILLE
                : context.settings().balance().threshold();
        switch (request.wish()) {
            case BEGIN -> {
                asked = Optional.of(wanted);
                restsSince = Optional.empty();
            }
            case END -> {
                asked = Optional.empty();
                shifts.values().removeIf(Shift::underWay);
            }
            case LOOK -> {
                return report(plan(wanted));
            }
        }
        return report(plan(threshold()));
    }

    private BalanceReport report(BalancePlan plan) {
        List<BalanceReport.Volume> volumes = plan.fills().entrySet().stream()
                .sorted(Comparator.comparingDouble(entry -> -entry.getValue().share()))
                .map(entry -> new BalanceReport.Volume(
                        entry.getKey(),
                        entry.getValue().datanode(),
                        (long) entry.getValue().used(),
                        (long) entry.getValue().room(),
                        plan.lacks(entry.getKey())))
                .toList();
        boolean stuck = asked.isPresent() && restsSince.isPresent() && !plan.even();
        return new BalanceReport(
                asked.isPresent(),
                context.settings().balance().background(),
                (int) Math.round(plan.threshold() * PERMILLE),
                plan.bytesToMove(),
                underWay(),
                chunksMoved,
                bytesMoved,
                stuck
                        ? Optional.of("no chunk of the fullest volumes may lie on an emptier one: its datanode holds"
                                + " another chunk of the group, or its rack too many")
                        : Optional.empty(),
                volumes.subList(0, Math.min(volumes.size(), BalanceReport.MAX_VOLUMES)));
    }

    int underWay() {
        return (int) shifts.values().stream().filter(Shift::underWay).count();
    }

    /** The fill of the volumes after all moves under way. */
    private BalancePlan plan(double threshold) {
        TreeMap<VolumeId, BalancePlan.Fill> fills = new TreeMap<>();
        RingPicture rings = cluster.rings().now();
        for (DatanodeFacts datanode : cluster.topology().datanodes()) {
            if (datanode.inService() && cluster.state(datanode.datanode()) == DatanodeState.HEALTHY) {
                for (VolumeId volume : datanode.volumes().values()) {
                    cluster.table()
                            .load(volume)
                            .filter(load -> load.state() == VolumeState.HEALTHY || load.state() == VolumeState.FULL)
                            .ifPresent(load -> fills.put(volume, fill(datanode, load, rings.member(volume))));
                }
            }
        }
        shifts.values().forEach(shift -> {
            if (!reportedSince(shift.old().volume(), shift.leftMillis())) {
                fills.computeIfPresent(shift.old().volume(), (volume, fill) -> fill.plus(-shift.bytes()));
            }
            if (!reportedSince(shift.to(), shift.arrivedMillis())) {
                fills.computeIfPresent(shift.to(), (volume, fill) -> fill.plus(shift.bytes()));
            }
        });
        return BalancePlan.of(threshold, fills);
    }

    /**
     * Returns whether a volume stays well within the threshold with so many more bytes: otherwise they would be moved
     * away again.
     */
    boolean hasRoom(VolumeId volume, long bytes) {
        BalancePlan plan = plan(threshold());
        BalancePlan.Fill fill = plan.fills().get(volume);
        return fill != null && fill.plus(bytes).share() <= plan.mean(fill) + plan.threshold() / 2;
    }

    /** Volumes of one colour of a ring exchange chunks with each other, those of no ring too. */
    private static BalancePlan.Fill fill(DatanodeFacts datanode, VolumeStatus load, Optional<RingMember> member) {
        return new BalancePlan.Fill(
                datanode.datanode(),
                member.map(found -> found.ring() + "/"
                                + found.colour().map(String::valueOf).orElse("spare"))
                        .orElse(""),
                load.usedBytes(),
                (double) load.usedBytes() + Math.max(0, load.freeBytes()));
    }

    /** Returns whether the volume's datanode has reported a load since then. */
    private boolean reportedSince(VolumeId volume, Optional<Long> sinceMillis) {
        Optional<DatanodeFacts> owner = cluster.topology().owner(volume);
        return sinceMillis.isPresent()
                && owner.filter(facts -> cluster.table().reportedAfter(facts.datanode(), sinceMillis.get()))
                        .isPresent();
    }

    private boolean overdue(Shift shift, long arrivedMillis) {
        return shift.leftMillis()
                .map(left -> context.passed(SETTLES, left))
                .orElseGet(() -> context.passed(RETAINED, arrivedMillis));
    }

    private void settle() {
        shifts.replaceAll((group, shift) -> shift.leftMillis().isEmpty()
                        && !shift.underWay()
                        && cluster.catalog()
                                .find(shift.old().volume(), shift.old().chunk())
                                .isEmpty()
                ? shift.left(context.nowMillis())
                : shift);
        shifts.values()
                .removeIf(shift -> shift.arrivedMillis()
                        .filter(arrived -> overdue(shift, arrived)
                                || (reportedSince(shift.to(), shift.arrivedMillis())
                                        && reportedSince(shift.old().volume(), shift.leftMillis())))
                        .isPresent());
    }

    @Override
    public void plan(MetadataView view, Starter starter, int places) {
        settle();
        boolean rests = restsSince.filter(since -> !context.passed(REST, since)).isPresent();
        int left = places - (on() && places > 0 ? raise(view, starter, places) : 0);
        if (on() && !rests && left > 0) {
            BalancePlan plan = plan(threshold());
            if (plan.even() && shifts.isEmpty() && !belowTheRule.walks()) {
                asked = Optional.empty();
            }
            if (!plan.even() && !begin(view, starter, left, plan)) {
                restsSince = Optional.of(context.nowMillis());
            }
        }
        boolean more = context.settings().balance().background()
                && restsSince.isEmpty()
                && !plan(threshold()).even();
        going &= !shifts.isEmpty() || asked.isPresent() || more;
    }

    /**
     * Moves chunks of groups that tolerate fewer writers than their ring has to where they tolerate more.
     *
     * @return how many moves were begun
     */
    private int raise(MetadataView view, Starter starter, int places) {
        RingPicture rings = cluster.rings().now();
        Set<VolumeId> known = plan(threshold()).fills().keySet();
        int begun = 0;
        for (ChunkOnVolume stored : belowTheRule.next(view, rings)) {
            if (begun == places) {
                break; // the walk goes on with this chunk
            }
            Optional<GroupFacts> group =
                    view.sealedGroup(stored.chunk().group()).filter(rings::below);
            Predicate<VolumeId> may = group.map(
                            facts -> rings.better(facts, stored.chunk().index()))
                    .orElse(volume -> false)
                    .and(known::contains);
            if (known.stream().anyMatch(may)) {
                BeginResult result = start(starter, stored, may);
                begun += result == BeginResult.BEGUN ? 1 : 0;
                if (result == BeginResult.BEGUN || result == BeginResult.ALL_TARGETS_BUSY) {
                    belowTheRule.moved();
                }
            }
            belowTheRule.advance(stored);
        }
        return begun;
    }

    /** @return false when nothing can be moved */
    private boolean begin(MetadataView view, Starter starter, int places, BalancePlan first) {
        BalancePlan plan = first;
        int begun = 0;
        for (ChunkOnVolume stored : walks.next(view, plan.sources(MOST_SOURCES))) {
            BeginResult result = tryMove(view, starter, stored, plan);
            walks.advance(stored);
            if (result == BeginResult.BEGUN) {
                restsSince = Optional.empty();
                plan = plan(threshold());
                if (++begun == places) {
                    return true;
                }
            } else if (result == BeginResult.ALL_TARGETS_BUSY) {
                return true;
            }
        }
        return begun > 0 || underWay() > 0;
    }

    private BeginResult tryMove(MetadataView view, Starter starter, ChunkOnVolume stored, BalancePlan plan) {
        Optional<GroupFacts> group = view.sealedGroup(stored.chunk().group());
        long bytes = group.map(g -> g.chunkBytes(stored.chunk().index())).orElse(0L);
        if (bytes == 0) {
            return BeginResult.NOTHING_TO_DO;
        }
        Predicate<VolumeId> accepted = cluster.rings().now().accepted(group.orElseThrow());
        Predicate<VolumeId> may = volume -> plan.evens(stored.volume(), volume, bytes)
                && accepted.test(volume) // of the same colour: the group tolerates as many writers as before
                && crowd(group.orElseThrow(), stored, volume) <= crowd(group.orElseThrow(), stored, stored.volume());
        if (plan.fills().keySet().stream().noneMatch(may)) {
            return BeginResult.NOTHING_TO_DO;
        }
        return start(starter, stored, may);
    }

    private BeginResult start(Starter starter, ChunkOnVolume stored, Predicate<VolumeId> may) {
        if (!going) {
            going = true;
            begunMillis = context.nowMillis();
        }
        IncidentCause cause = IncidentCause.uneven();
        return starter.start(stored, new Found(cause, cause.text(), begunMillis, begunMillis), may);
    }

    /** Other chunks of the group in the rack of a volume: a move must not raise their number. */
    private long crowd(GroupFacts group, ChunkOnVolume moved, VolumeId volume) {
        String rack = cluster.topology().rack(volume);
        return group.stored().stream()
                .filter(stored -> !stored.equals(moved)
                        && cluster.topology().rack(stored.volume()).equals(rack))
                .count();
    }

    @Override
    public void begun(ChunkRepair move, GroupFacts group) {
        ChunkOnVolume old = group.stored(move.index).orElseThrow();
        long bytes = group.chunkBytes(move.index);
        shifts.put(move.group, new Shift(old, move.target, bytes, Optional.empty(), Optional.empty()));
    }

    @Override
    public boolean wants(ChunkRepair move) {
        return shifts.containsKey(move.group);
    }

    @Override
    public void ended(ChunkRepair move, boolean moved) {
        Shift shift = shifts.remove(move.group);
        if (shift != null && moved) {
            shifts.put(move.group, shift.arrived(context.nowMillis()));
            chunksMoved++;
            bytesMoved += shift.bytes();
        }
    }
}

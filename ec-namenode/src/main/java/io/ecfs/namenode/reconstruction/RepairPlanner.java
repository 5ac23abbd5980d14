package io.ecfs.namenode.reconstruction;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeState;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.health.UnderReplicationIndex.Urgency;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairService.BeginReply;
import io.ecfs.namenode.reconstruction.RepairService.BeginResult;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the lost chunk to rebuild next: takes the damaged groups with the least redundancy left first, then the
 * oldest damage, one chunk of a group at a time. Owner thread: the namenode's event thread.
 */
public final class RepairPlanner {
    private static final Logger LOG = LoggerFactory.getLogger(RepairPlanner.class);

    /** Damaged groups to check in one tick: the most urgent ones, and a slice of the rest. */
    private static final int MOST_URGENT = 1_000;

    private static final int SLICE = 4_000;

    /** Lost groups that are recorded in the history in one term, at most. */
    private static final int MOST_LOST = 1_000;

    /** Groups without a target in one round, after which it ends; of one ring, after which that is skipped. */
    public static final int MOST_WITHOUT_TARGET = 50;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final HealthSurvey survey;
    private final RepairCauses causes;
    private final RepairDelays delays;
    private final EventRecorder recorder;
    private final RepairService repairs;

    private Optional<Urgency> lastTried = Optional.empty();
    private boolean complained;

    RepairPlanner(
            NamenodeContext context,
            ClusterView cluster,
            HealthSurvey survey,
            EventRecorder recorder,
            RepairService repairs) {
        this.context = context;
        this.cluster = cluster;
        this.survey = survey;
        this.causes = repairs.causes();
        this.delays = repairs.delays();
        this.recorder = recorder;
        this.repairs = repairs;
    }

    /**
     * One scan of the damage.
     * @param without groups in no ring that had no target
     * @param withoutInRing those of each ring: one that is full holds up no other group
     * @param room for more repairs
     */
    private record Round(int without, Map<RingId, Integer> withoutInRing, boolean room) {
        static final Round FIRST = new Round(0, Map.of(), true);

        Round after(BeginResult result, Optional<RingId> ring) {
            return switch (result) {
                case NO_TARGET -> new Round(without + 1, withoutInRing, without + 1 < MOST_WITHOUT_TARGET);
                case NO_TARGET_IN_RING -> {
                    Map<RingId, Integer> inRing = new TreeMap<>(withoutInRing);
                    inRing.merge(ring.orElseThrow(), 1, Integer::sum);
                    yield new Round(without, inRing, room);
                }
                case ALL_TARGETS_BUSY -> full();
                case BEGUN, NOTHING_TO_DO -> this;
            };
        }

        Round full() {
            return new Round(without, withoutInRing, false);
        }

        boolean skips(Optional<RingId> ring) {
            return ring.filter(full -> withoutInRing.getOrDefault(full, 0) >= MOST_WITHOUT_TARGET)
                    .isPresent();
        }

        boolean allHadTargets() {
            return without == 0 && withoutInRing.isEmpty();
        }

        /** No damage waits for its turn: all that can be repaired now is. */
        boolean done() {
            return room || without >= MOST_WITHOUT_TARGET;
        }
    }

    /** @return whether all damage that can be repaired now is: none waits for its turn */
    boolean plan(MetadataView view) {
        List<Urgency> urgent = survey.urgent(Optional.empty(), MOST_URGENT);
        Round round = lastResorts(view, Round.FIRST);
        round = round.room() ? tryAll(view, urgent, round, false) : round;
        if (round.room()) {
            List<Urgency> rest = survey.urgent(lastTried.or(() -> last(urgent)), SLICE);
            round = tryAll(view, rest, round, true);
            if (round.room()) {
                lastTried = rest.size() < SLICE ? Optional.empty() : lastTried;
                complained &= !round.allHadTargets();
            }
        }
        return round.done();
    }

    /**
     * Repairs lost groups from failed volumes that can still be read, first of all: soon they may no longer be
     * readable.
     */
    private Round lastResorts(MetadataView view, Round begun) {
        Round round = begun;
        if (cluster.volumes(VolumeState.FAILED) == 0) {
            return round;
        }
        for (GroupId group : survey.damagedFrom(true, new GroupId(1), MOST_LOST)) {
            if (repairs.running() >= context.throttles(view).atOnce()) {
                return round.full();
            }
            round = tryRepair(view, group, round);
            if (!round.room()) {
                return round;
            }
        }
        return round;
    }

    private static Optional<Urgency> last(List<Urgency> some) {
        return some.isEmpty() ? Optional.empty() : Optional.of(some.get(some.size() - 1));
    }

    /** @param rest of the damage, where the scan continues the next time */
    private Round tryAll(MetadataView view, List<Urgency> some, Round begun, boolean rest) {
        Round round = begun;
        int atOnce = context.throttles(view).atOnce();
        for (Urgency damage : some) {
            if (repairs.running() >= atOnce) {
                return round.full();
            }
            round = tryRepair(view, damage.group(), round);
            if (!round.room()) {
                return round;
            }
            lastTried = rest ? Optional.of(damage) : lastTried;
        }
        return round;
    }

    private Round tryRepair(MetadataView view, GroupId id, Round round) {
        Optional<ChunkRepair> under = repairs.running(id);
        Optional<ChunkRepair> move =
                under.filter(repair -> repair.isMove() && repair.stage() == ChunkRepair.Stage.ORDERED);
        if ((under.isPresent() && move.isEmpty()) || delays.retryInMillis(id) > 0) {
            return round;
        }
        GroupFacts group = view.sealedGroup(id).orElse(null);
        if (group == null) {
            return round;
        }
        Optional<RingId> ring = cluster.rings().ringOf(group);
        if (round.skips(ring)) {
            return round;
        }
        Optional<Map.Entry<Integer, Found>> lost = repairs.repairable(group);
        if (lost.isEmpty() || move.filter(m -> m.index == lost.get().getKey()).isPresent()) {
            return round;
        }
        int index = lost.get().getKey();
        Found found = lost.get().getValue();
        move.ifPresent(m -> repairs.abandon(m, "chunk " + index + " of the group is lost and goes first"));
        BeginReply begun = repairs.begin(view, group, index, found, volume -> true);
        if (begun.result().lacksTarget()) {
            complain(group, index, found, begun.why());
        }
        return round.after(begun.result(), ring);
    }

    /** Records groups that have too few chunks left and wait until one comes back; once each. */
    void noteLost(MetadataView view) {
        for (GroupId id : survey.damagedFrom(true, new GroupId(1), MOST_LOST)) {
            Optional<GroupFacts> group = delays.waiting(id).isPresent() ? Optional.empty() : view.sealedGroup(id);
            group.ifPresent(facts -> survey.lacking(id)
                    .forEach((index, since) -> causes.of(facts, index, since)
                            .ifPresent(found -> waits(
                                    facts,
                                    index,
                                    found,
                                    "too few chunks are left to compute it from: "
                                            + cluster.liveOthers(facts, index)))));
        }
    }

    private void waits(GroupFacts group, int index, Found found, String reason) {
        if (delays.waits(group.group(), reason)) {
            recorder.note(repairs.waits(found, group.group(), index, reason));
        }
    }

    /** Logs the first chunk without a target, once until there was a target for everything again. */
    private void complain(GroupFacts group, int index, Found found, String why) {
        waits(group, index, found, why);
        if (!complained) {
            complained = true;
            LOG.warn("event=repair_waits group={} index={} reason=\"{}\"", group.group(), index, why);
        }
    }
}

package io.ecfs.namenode.rebalance;

import io.ecfs.layout.GroupId;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.IncidentCause.Kind;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairDelays;
import io.ecfs.namenode.reconstruction.RepairPlanner;
import io.ecfs.namenode.reconstruction.RepairService;
import io.ecfs.namenode.reconstruction.RepairService.BeginReply;
import io.ecfs.namenode.reconstruction.RepairService.BeginResult;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Chooses the intact chunks that move: those on datanodes that leave, on read-only volumes and on volumes that leave
 * their ring, and while there are none those that {@link Balance} wants on emptier volumes and {@link ChunkMover} where
 * reads cost less. {@link RepairService} moves them by {@link MovePolicy}. Owner thread: the namenode's event thread.
 */
public final class MovePlanner {
    private static final int MOST_WAITING = 100;
    private static final Duration STALE = Duration.ofSeconds(10);

    /**
     * Time until a failed elective move is forgotten though others go on: longer than any wait for the next attempt.
     */
    private static final Duration FORGOTTEN = Duration.ofHours(1);

    /**
     * Elective moves wait until nothing could leave a volume that is emptied for so long: what cannot leave, since its
     * group is lost or has no other place, holds up nothing else.
     */
    private static final Duration HELD_UP = Duration.ofMinutes(1);

    /** The reason why something on a datanode does not move, and when that was last found. */
    private record Waits(long atMillis, String reason) {}

    private final NamenodeContext context;
    private final ClusterView cluster;
    private final EventRecorder recorder;
    private final RepairService repairs;
    private final RepairDelays delays;
    private final Balance balance;
    private final ChunkMover mover;
    private final VolumeWalks walks = new VolumeWalks();
    private final TreeMap<VolumeId, Long> toEmptySince = new TreeMap<>();
    private final TreeMap<DatanodeId, Waits> waits = new TreeMap<>();
    /** When a volume began to be emptied, or a chunk could leave one. */
    private Optional<Long> couldLeaveMillis = Optional.empty();

    public MovePlanner(
            NamenodeContext context,
            ClusterView cluster,
            EventRecorder recorder,
            RepairService repairs,
            MovePolicy policy) {
        this.context = context;
        this.cluster = cluster;
        this.recorder = recorder;
        this.repairs = repairs;
        this.delays = policy.delays();
        this.balance = policy.balance();
        this.mover = policy.mover();
    }

    /** Begins moves where there is room for them: at most half of all places. */
    public void plan(MetadataView view) {
        int places = Math.min(
                atOnce(view) - repairs.moving(), context.throttles(view).atOnce() - repairs.running());
        RingPicture rings = cluster.rings().now();
        List<VolumeId> leaving = cluster.topology().datanodes().stream()
                .flatMap(facts ->
                        facts.volumes().values().stream().filter(volume -> toEmpty(view, rings, facts, volume)))
                .toList();
        boolean more = leaving.stream().anyMatch(volume -> !toEmptySince.containsKey(volume));
        toEmptySince.keySet().retainAll(leaving);
        leaving.forEach(volume -> toEmptySince.putIfAbsent(volume, context.nowMillis()));
        int left = places;
        if (leaving.isEmpty()) {
            waits.clear();
            couldLeaveMillis = Optional.empty();
        } else {
            if (more || electives() < repairs.moving()) {
                couldLeaveMillis = Optional.of(context.nowMillis());
            }
            left -= places > 0 ? drain(view, leaving, places) : 0;
        }
        if (couldLeaveMillis.filter(since -> !context.passed(HELD_UP, since)).isPresent()) {
            mover.waits("datanodes are emptied, which goes first");
            return;
        }
        MoveSource.Starter starter = (chunk, found, may) -> move(view, chunk, found, may);
        balance.plan(view, starter, left);
        mover.plan(view, starter, left - balance.underWay());
        boolean going = balance.going() || mover.going() || !leaving.isEmpty();
        delays.forgetIf(group -> !going
                || (delays.failedBefore(group, FORGOTTEN)
                        && repairs.running(group).isEmpty()));
    }

    /** Moves under way that nothing but the balance or the cost of reads asks for. */
    private int electives() {
        return balance.underWay() + mover.underWay();
    }

    /** Most moves under way at the same time: half of all places stay free for lost chunks. */
    private int atOnce(MetadataView view) {
        return (context.throttles(view).atOnce() + 1) / 2;
    }

    /** @return how many moves were begun */
    private int drain(MetadataView view, List<VolumeId> volumes, int places) {
        int left = places;
        int without = 0;
        for (ChunkOnVolume stored : walks.next(view, volumes)) {
            BeginResult result = move(view, stored, found(stored.volume()), volume -> true);
            walks.advance(stored);
            left -= result == BeginResult.BEGUN ? 1 : 0;
            if (result == BeginResult.BEGUN || result == BeginResult.ALL_TARGETS_BUSY) {
                couldLeaveMillis = Optional.of(context.nowMillis());
            }
            without += result.lacksTarget() || result == BeginResult.ALL_TARGETS_BUSY ? 1 : 0;
            if (left == 0 || without >= RepairPlanner.MOST_WITHOUT_TARGET) {
                break;
            }
        }
        return places - left;
    }

    /** False for datanodes that have left and for emptied disks, which stay in the facts for ever. */
    private boolean toEmpty(MetadataView view, RingPicture rings, DatanodeFacts owner, VolumeId volume) {
        return owner.adminState().state() == AdminState.State.DECOMMISSIONING
                || ((cluster.readOnly(volume) || rings.leaves(volume))
                        && !view.chunksOn(volume, Optional.empty(), 1).isEmpty());
    }

    private Found found(VolumeId volume) {
        DatanodeFacts from = cluster.topology().owner(volume).orElseThrow();
        IncidentCause cause = from.leaving()
                ? IncidentCause.leaving(from.datanode())
                : IncidentCause.onVolume(
                        cluster.readOnly(volume) ? Kind.VOLUME_READ_ONLY : Kind.VOLUME_LEAVING,
                        from.datanode(),
                        volume);
        long since = from.leaving()
                ? context.monotonicOf(from.adminState().sinceMillis())
                : toEmptySince.computeIfAbsent(volume, v -> context.nowMillis());
        return new Found(cause, cause.text(), since, since);
    }

    /** As {@link MoveSource.Starter}. */
    private BeginResult move(MetadataView view, ChunkOnVolume stored, Found found, Predicate<VolumeId> may) {
        GroupId id = stored.chunk().group();
        Optional<GroupFacts> group = view.sealedGroup(id);
        if (group.isPresent() && repairs.running(id).isPresent()) {
            return BeginResult.NOTHING_TO_DO;
        }
        Optional<String> obstacle =
                group.isEmpty() ? Optional.of("group " + id + " is being written") : obstacle(group.get(), stored);
        if (obstacle.isPresent()) {
            waits(found, obstacle.get());
            return BeginResult.NOTHING_TO_DO;
        }
        int index = stored.chunk().index();
        BeginReply begun = repairs.begin(view, group.get(), index, found, may);
        if (begun.result().lacksTarget() && waits(found, begun.why())) {
            if (delays.waiting() < MOST_WAITING && delays.waits(id, begun.why())) {
                recorder.note(repairs.waits(found, id, index, begun.why()));
            }
        }
        return begun.result();
    }

    /** The reason why a chunk of a sealed group is not moved now. */
    private Optional<String> obstacle(GroupFacts group, ChunkOnVolume stored) {
        GroupId id = group.group();
        if (!cluster.live(group, stored)) {
            return Optional.of(stored + " cannot be read now: it is not moved but repaired");
        } else if (delays.retryInMillis(id) > 0) {
            return Optional.of("the last attempt to move a chunk of group " + id + " failed: "
                    + delays.failure(id).orElseThrow().reason());
        } else if (repairs.repairable(group).isPresent() || repairs.incomplete(group)) {
            return Optional.of("group " + id + " lacks another chunk, which is rebuilt first");
        }
        return Optional.empty();
    }

    /** @return whether it is a datanode that waits: otherwise it is an elective move, and others may move instead */
    private boolean waits(Found found, String reason) {
        Optional<DatanodeId> leaving = found.cause().datanode();
        leaving.ifPresent(datanode -> waits.put(datanode, new Waits(context.nowMillis(), reason)));
        return leaving.isPresent();
    }

    /** The reason why something on a datanode does not move. */
    public Optional<String> waiting(DatanodeId datanode) {
        return Optional.ofNullable(waits.get(datanode))
                .filter(last -> !context.passed(STALE, last.atMillis()))
                .map(Waits::reason);
    }
}

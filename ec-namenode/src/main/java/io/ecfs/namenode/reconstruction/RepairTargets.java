package io.ecfs.namenode.reconstruction;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.placement.PlacementCandidate;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Chooses the volume on which a chunk is rebuilt: on a datanode that holds no other chunk of the group, is not the
 * target of too many repairs and is not silent, in the rack that has fewest of the group, and where the rings allow it
 * if there is such a volume. Owner thread: the namenode's event thread.
 */
final class RepairTargets {
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Placement placement;

    RepairTargets(NamenodeContext context, ClusterView cluster) {
        this.context = context;
        this.cluster = cluster;
        this.placement = new Placement(context.settings().minFreeBytes());
    }

    /** Whether there is a target, or why there is none. */
    enum Outcome {
        TARGET,
        /** There would be one if it were not the target of so many repairs. */
        BUSY,
        /** There would be one if it were not silent: its next heartbeat comes soon, or it is suspected. */
        SILENT,
        /** There is none by the rule before a spare has taken the colour of a volume that is gone. */
        AWAITS_SPARE,
        NONE
    }

    /** @param why for people, when there is none */
    record Choice(Optional<VolumeId> volume, Outcome outcome, String why) {}

    /**
     * A volume where the rings allow the chunk. While there is none, another one of the group's ring: a group that may
     * wait for a writer is worth more than one that lacks a chunk.
     *
     * @param perDatanode most repairs with one datanode as their target
     * @param may volumes that are allowed
     */
    Choice choose(
            GroupFacts group, int index, Collection<ChunkRepair> running, int perDatanode, Predicate<VolumeId> may) {
        RingPicture rings = cluster.rings().now();
        Choice choice = among(
                group,
                index,
                running,
                perDatanode,
                rings.byTheRule(group, index).and(may));
        List<Predicate<VolumeId>> others =
                choice.outcome() == Outcome.NONE ? rings.belowTheRule(group, index) : List.of();
        if (!others.isEmpty() && spareComes(rings, group)) {
            return new Choice(Optional.empty(), Outcome.AWAITS_SPARE, "");
        }
        for (Predicate<VolumeId> other : others) {
            if (choice.outcome() == Outcome.NONE) {
                choice = among(group, index, running, perDatanode, other.and(may));
            }
        }
        return choice;
    }

    /** Returns whether the colour of a volume that is gone goes to a spare of the group's ring next. */
    private boolean spareComes(RingPicture rings, GroupFacts group) {
        List<RingMember> members = group.ring().map(rings::members).orElse(List.of());
        return members.stream().anyMatch(cluster::awaitsSpare)
                && members.stream().anyMatch(cluster::canSucceed);
    }

    private Choice among(
            GroupFacts group, int index, Collection<ChunkRepair> running, int perDatanode, Predicate<VolumeId> may) {
        List<PlacementCandidate> candidates = cluster.candidates(may);
        List<DatanodeFacts> holders = group.stored().stream()
                .filter(stored -> stored.chunk().index() != index)
                .map(ChunkOnVolume::volume)
                .flatMap(volume -> cluster.topology().owner(volume).stream())
                .toList();
        Set<DatanodeId> avoid = holders.stream().map(DatanodeFacts::datanode).collect(Collectors.toSet());
        Map<DatanodeId, Long> load =
                running.stream().collect(Collectors.groupingBy(r -> r.targetDatanode, Collectors.counting()));
        Set<DatanodeId> notSilent = new HashSet<>(avoid);
        cluster.topology().datanodes().stream()
                .map(DatanodeFacts::datanode)
                .filter(this::doubtful)
                .forEach(notSilent::add);
        Set<DatanodeId> notBusy = new HashSet<>(notSilent);
        load.forEach((datanode, repairs) -> {
            if (repairs >= perDatanode) {
                notBusy.add(datanode);
            }
        });
        Map<String, Long> racks =
                holders.stream().collect(Collectors.groupingBy(DatanodeFacts::rack, Collectors.counting()));
        Optional<VolumeId> best = pick(candidates, notBusy).volumes().stream()
                .min(Comparator.comparingLong(
                        volume -> racks.getOrDefault(cluster.topology().rack(volume), 0L)));
        if (best.isPresent()) {
            return new Choice(best, Outcome.TARGET, "");
        }
        if (!pick(candidates, notSilent).volumes().isEmpty()) {
            return new Choice(Optional.empty(), Outcome.BUSY, "");
        }
        Placement.Choice all = pick(candidates, avoid);
        return all.volumes().isEmpty()
                ? new Choice(Optional.empty(), Outcome.NONE, all.explain("with another chunk of the group"))
                : new Choice(Optional.empty(), Outcome.SILENT, "");
    }

    /**
     * Returns whether a datanode has been silent for half the time after which it is suspected: it may have died
     * together with the one whose chunks are rebuilt. It is no target before its next heartbeat.
     */
    private boolean doubtful(DatanodeId datanode) {
        long left = cluster.table().suspectedAtMillis(datanode) - context.nowMillis();
        return 2 * left < context.settings().silence().suspectAfter().toMillis();
    }

    private Placement.Choice pick(List<PlacementCandidate> candidates, Set<DatanodeId> avoid) {
        return placement.choose(
                candidates, avoid, Integer.MAX_VALUE, context.environment().randomness());
    }
}

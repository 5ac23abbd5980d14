package io.ecfs.namenode.ring;

import io.ecfs.layout.RingId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.report.RingReports;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader changes of rings by itself: the colour of a volume that failed, or whose datanode is dead, goes to a
 * spare; volumes that leave are gone when they are empty, and a ring that is dropped when it has no groups; the writers
 * of an adaptive ring follow the demand. Owner thread: the namenode's event thread.
 */
public final class RingKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(RingKeeper.class);

    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Proposer proposer;
    private final RingPositions positions;
    private final TreeSet<RingId> underWay = new TreeSet<>();
    private final TreeMap<RingId, WriteDemand> demands = new TreeMap<>();

    public RingKeeper(NamenodeContext context, ClusterView cluster, Proposer proposer, RingPositions positions) {
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.positions = positions;
    }

    /** Proposes what is due, one change of a ring at a time. */
    public void tick() {
        RingPicture rings = cluster.rings().now();
        positions.retain(rings);
        demands.keySet().removeIf(ring -> rings.ring(ring).isEmpty());
        if (rings.rings().isEmpty()) {
            return;
        }
        try (MetadataView view = context.facts().get()) {
            for (RingFacts ring : rings.rings()) {
                positions.place(ring);
                observe(rings, ring);
                if (!underWay.contains(ring.ring())) {
                    check(view, rings, ring);
                }
            }
        }
    }

    private void observe(RingPicture rings, RingFacts ring) {
        List<RingReports.Received> reports = rings.members(ring.ring()).stream()
                .filter(member -> member.is(Duty.ACTIVE))
                .flatMap(member -> cluster.rings().reports().status(member.volume()).stream())
                .filter(received -> received.status().ring().equals(ring.ring()))
                .toList();
        demands.computeIfAbsent(ring.ring(), id -> new WriteDemand()).observe(ring, reports, context.nowMillis());
    }

    private void check(MetadataView view, RingPicture rings, RingFacts ring) {
        List<RingMember> members = rings.members(ring.ring());
        List<Command.AdaptRing.Succession> successions = ring.dropping() ? List.of() : successions(members);
        List<VolumeId> emptied = members.stream()
                .filter(member -> member.is(Duty.LEAVING) && empty(view, member.volume()))
                .map(RingMember::volume)
                .toList();
        boolean gone = ring.dropping()
                && view.ringGroups(ring).stream().allMatch(count -> count == 0)
                && members.stream().allMatch(member -> empty(view, member.volume()));
        if (!successions.isEmpty()) {
            propose(ring, Optional.empty(), successions, List.of(), "a volume failed or its datanode leaves");
        } else if (gone) {
            propose(ring, Optional.empty(), List.of(), List.of(), "it has no groups any more");
        } else if (!emptied.isEmpty()) {
            propose(ring, Optional.empty(), List.of(), emptied, "their chunks were moved");
        } else if (ring.adaptive() && !ring.dropping() && !ring.paused()) {
            adapt(view, ring);
        }
    }

    private static boolean empty(MetadataView view, VolumeId volume) {
        return view.chunksOn(volume, Optional.empty(), 1).isEmpty();
    }

    /** Volumes that are gone come before those that can still be read. */
    private List<Command.AdaptRing.Succession> successions(List<RingMember> members) {
        List<VolumeId> waiting = members.stream()
                .filter(cluster::awaitsSpare)
                .map(RingMember::volume)
                .sorted(Comparator.comparing(volume -> !cluster.permanentlyUnavailable(volume)))
                .toList();
        Set<VolumeId> taken = new HashSet<>();
        List<Command.AdaptRing.Succession> successions = new ArrayList<>();
        for (VolumeId failed : waiting) {
            spare(members, failed, taken).ifPresent(spare -> {
                taken.add(spare);
                successions.add(new Command.AdaptRing.Succession(failed, spare));
            });
        }
        return successions;
    }

    /** One that can take chunks, first on the same datanode, then where the ring has fewest volumes. */
    private Optional<VolumeId> spare(List<RingMember> members, VolumeId failed, Set<VolumeId> taken) {
        Optional<DatanodeId> datanode = owner(failed);
        return members.stream()
                .filter(cluster::canSucceed)
                .map(RingMember::volume)
                .filter(spare -> !taken.contains(spare))
                .min(Comparator.<VolumeId, Boolean>comparing(
                                spare -> !owner(spare).equals(datanode))
                        .thenComparingLong(spare -> members.stream()
                                .filter(other -> other.is(Duty.ACTIVE)
                                        && owner(other.volume()).equals(owner(spare)))
                                .count()));
    }

    private Optional<DatanodeId> owner(VolumeId volume) {
        return cluster.topology().owner(volume).map(DatanodeFacts::datanode);
    }

    private void adapt(MetadataView view, RingFacts ring) {
        WriteDemand demand = demands.get(ring.ring());
        OptionalInt writers = WriterChoice.writers(
                ring.shape().colours(),
                view.mostWriters(ring),
                ring.periodMillis(),
                demand.demands(),
                demand.writeRate());
        if (writers.isPresent() && writers.getAsInt() != ring.shape().writers()) {
            propose(ring, Optional.of(writers.getAsInt()), List.of(), List.of(), "the demand of three rotations");
        }
    }

    private void propose(
            RingFacts ring,
            Optional<Integer> writers,
            List<Command.AdaptRing.Succession> successions,
            List<VolumeId> emptied,
            String reason) {
        underWay.add(ring.ring());
        proposer.propose(
                new Command.AdaptRing(
                        context.epochMillis(), ring.ring(), ring.epoch(), writers, successions, emptied, reason),
                outcome -> {
                    underWay.remove(ring.ring());
                    outcome.resolve(
                            applied -> LOG.info(
                                    "event=ring_adapted ring={} writers={} successions={} emptied={} reason=\"{}\"",
                                    ring.name(),
                                    writers.map(String::valueOf).orElse("same"),
                                    successions,
                                    emptied,
                                    reason),
                            failure -> LOG.info(
                                    "event=ring_not_adapted ring={} reason=\"{}\"", ring.name(), failure.getMessage()));
                });
    }
}

package io.ecfs.namenode.context;

import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.placement.RingFit;
import io.ecfs.namenode.report.RingReports;
import io.ecfs.namenode.state.MetadataView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The rings by the facts of the log, cached until they change, and by the reports of datanodes. Owner thread: the
 * namenode's event thread.
 */
public final class ClusterRings {
    /** Policies and rings that are remembered. */
    private static final int MOST_REFUSALS = 1000;

    private final Supplier<MetadataView> facts;
    private final RingReports reports = new RingReports();
    private RingPicture picture = new RingPicture(List.of(), List.of(), ring -> 0);
    private long changes;
    private final Map<Served, Optional<String>> refusals = new HashMap<>();

    /** A present ring and a policy. Volumes never change owners, so that a refusal holds until rings change. */
    private record Served(RingId ring, Policy policy) {}

    public ClusterRings(Supplier<MetadataView> facts) {
        this.facts = facts;
    }

    /** Reports of datanodes about their volumes in rings. */
    public RingReports reports() {
        return reports;
    }

    /** The rings as the facts have them now. */
    public RingPicture now() {
        try (MetadataView view = facts.get()) {
            long now = view.ringChanges();
            if (now != changes) {
                picture = new RingPicture(view.rings(), view.ringMembers(), view::mostWritersOfDirectories);
                changes = now;
                refusals.clear();
            }
        }
        return picture;
    }

    /**
     * Why a ring does not serve a policy; empty: it does.
     *
     * @param topology the owners of its volumes
     */
    public Optional<String> refusal(RingFacts ring, Policy policy, Topology topology) {
        RingPicture rings = now();
        if (refusals.size() >= MOST_REFUSALS) {
            refusals.clear();
        }
        return refusals.computeIfAbsent(
                new Served(ring.ring(), policy),
                wanted -> fit(ring, rings.members(ring.ring()), topology).refusal(policy));
    }

    private static RingFit fit(RingFacts ring, List<RingMember> members, Topology topology) {
        TreeMap<VolumeId, Integer> colours = new TreeMap<>();
        TreeMap<VolumeId, DatanodeId> owners = new TreeMap<>();
        for (RingMember member : members) {
            if (member.is(Duty.ACTIVE)) {
                colours.put(member.volume(), member.colour().orElseThrow());
                topology.owner(member.volume()).ifPresent(owner -> owners.put(member.volume(), owner.datanode()));
            }
        }
        return new RingFit(ring.name(), ring.shape(), colours, owners);
    }
}

package io.ecfs.namenode.context;

import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.report.RingReports;
import io.ecfs.namenode.state.MetadataView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rings by the facts of the log, cached until they change, and by the reports of datanodes. Owner thread: the
 * namenode's event thread.
 */
public final class ClusterRings {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterRings.class);

    /** Policies and rings that are remembered. */
    private static final int MOST_REMEMBERED = 1000;

    private final Supplier<MetadataView> facts;
    private final Topology topology;
    private final RingReports reports = new RingReports();
    private RingPicture picture = new RingPicture(List.of(), List.of(), ring -> 0);
    private long changes;
    private final Map<Served, Optional<String>> refusals = new HashMap<>();
    /** What the log has said that it is not served. */
    private final Set<Served> warned = new HashSet<>();

    /** A ring and a policy. Volumes never change owners, so that a refusal holds until rings change. */
    private record Served(RingId ring, Policy policy) {}

    public ClusterRings(Supplier<MetadataView> facts, Topology topology) {
        this.facts = facts;
        this.topology = topology;
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

    /** The ring of a group; empty: it is in none, or its ring is gone. */
    public Optional<RingId> ringOf(GroupFacts group) {
        return group.ring().filter(ring -> now().ring(ring).isPresent());
    }

    /**
     * The ring in which new groups under a policy lie where this one is wanted. Empty for one that is gone or being
     * dropped, and for one that cannot serve the policy, which a directory inherits or a rename brings: such groups lie
     * in none, which the log says once.
     */
    Optional<RingFacts> serving(Policy policy, Optional<RingId> wanted) {
        return wanted.flatMap(now()::ring).filter(ring -> !ring.dropping()).filter(ring -> serves(ring, policy));
    }

    private boolean serves(RingFacts ring, Policy policy) {
        Served served = new Served(ring.ring(), policy);
        if (refusals.size() >= MOST_REMEMBERED) {
            refusals.clear();
        }
        Optional<String> refusal = refusals.computeIfAbsent(
                served,
                wanted -> ring.fit(
                                picture.members(ring.ring()),
                                volume -> topology.owner(volume).map(DatanodeFacts::datanode))
                        .refusal(policy));
        if (warned.size() >= MOST_REMEMBERED) {
            warned.clear();
        }
        if (refusal.isPresent() && warned.add(served)) {
            LOG.warn("event=group_outside_ring ring={} policy={} reason=\"{}\"", ring.name(), policy, refusal.get());
        }
        return refusal.isEmpty();
    }
}

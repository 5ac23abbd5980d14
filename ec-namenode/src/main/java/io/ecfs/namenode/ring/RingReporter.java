package io.ecfs.namenode.ring;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.report.RingReports;
import io.ecfs.namenode.state.MetadataView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The rings for operators and clients. Owner thread: the namenode's event thread. */
public final class RingReporter {
    private final ClusterView cluster;
    private final RingPositions positions;
    private final Function<DatanodeId, Optional<String>> waiting;

    /** @param waiting the reason why no chunk leaves a datanode of which one is to */
    public RingReporter(ClusterView cluster, RingPositions positions, Function<DatanodeId, Optional<String>> waiting) {
        this.cluster = cluster;
        this.positions = positions;
        this.waiting = waiting;
    }

    /** In the order of their names. */
    public List<RingState> rings(MetadataView view) {
        RingPicture rings = cluster.rings().now();
        return rings.rings().stream()
                .map(ring -> state(view, rings, ring))
                .sorted(Comparator.comparing(RingState::name))
                .toList();
    }

    private RingState state(MetadataView view, RingPicture rings, RingFacts ring) {
        RingPositions.Place place = positions.place(ring);
        return new RingState(
                ring.ring(),
                ring.name(),
                ring.epoch(),
                ring.shape().colours(),
                ring.shape().writers(),
                ring.adaptive(),
                ring.periodMillis(),
                place.position(),
                place.millisToMove(),
                ring.paused(),
                ring.dropping(),
                rings.members(ring.ring()).stream()
                        .flatMap(member -> volume(member).stream())
                        .toList(),
                view.ringDirectories(ring.ring()),
                view.ringGroups(ring),
                waiting(rings, ring));
    }

    private Optional<String> waiting(RingPicture rings, RingFacts ring) {
        return rings.members(ring.ring()).stream()
                .map(RingMember::volume)
                .filter(rings::leaves)
                .flatMap(volume -> cluster.topology().owner(volume).stream())
                .flatMap(owner -> waiting.apply(owner.datanode()).stream())
                .findFirst();
    }

    private Optional<RingVolume> volume(RingMember member) {
        RingReports reports = cluster.rings().reports();
        return cluster.topology()
                .owner(member.volume())
                .map(DatanodeFacts::datanode)
                .map(datanode -> new RingVolume(
                        member.volume(),
                        datanode,
                        reports.directory(member.volume()),
                        member.colour(),
                        member.duty(),
                        cluster.table().load(member.volume()).map(load -> load.state()),
                        reports.status(member.volume())
                                .map(RingReports.Received::status)
                                .filter(status -> status.ring().equals(member.ring())),
                        reports.journal(member.volume())));
    }
}

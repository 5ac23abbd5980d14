package io.ecfs.namenode.ring;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.state.MetadataView;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Whether volumes outside of rings have a place for the groups of one that is to be drained, which would wait for ever
 * otherwise. Checks one group of each volume; for others the ring's state says what they wait for. Owner thread: the
 * namenode's event thread.
 */
public final class DrainCheck {
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Placement placement;

    /** @param placement of chunks of users' writes, which leaves the reserve of each volume */
    public DrainCheck(NamenodeContext context, ClusterView cluster, Placement placement) {
        this.context = context;
        this.cluster = cluster;
        this.placement = placement;
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} in one line, with what to do instead */
    public void require(MetadataView view, RingFacts ring) throws EcfsException {
        OptionalInt chunks = cluster.rings().now().members(ring.ring()).stream()
                .flatMap(member -> group(view, member).stream())
                .map(GroupFacts::policy)
                .mapToInt(Policy::chunks)
                .max();
        if (chunks.isEmpty()) {
            return;
        }
        Placement.Choice choice = placement.choose(
                cluster.candidates(),
                Set.of(),
                chunks.getAsInt(),
                context.environment().randomness());
        if (choice.volumes().size() < chunks.getAsInt()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "groups of ring " + ring.name() + " need volumes outside of rings on " + chunks.getAsInt()
                            + " datanodes: add some, or 'ecfs ring drop " + ring.name()
                            + " --in-place' leaves them where they are; " + choice.explain());
        }
    }

    private static Optional<GroupFacts> group(MetadataView view, RingMember member) {
        return view.chunksOn(member.volume(), Optional.empty(), 1).stream()
                .findFirst()
                .flatMap(stored -> view.group(stored.chunk().group()));
    }
}

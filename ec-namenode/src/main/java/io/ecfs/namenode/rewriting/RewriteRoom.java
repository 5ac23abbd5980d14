package io.ecfs.namenode.rewriting;

import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The volumes that take the chunks of new groups. Owner thread: the namenode's event thread. */
final class RewriteRoom {
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Placement usual;

    RewriteRoom(NamenodeContext context, ClusterView cluster) {
        this.context = context;
        this.cluster = cluster;
        this.usual = new Placement(context.settings().minFreeBytes());
    }

    /** The volumes that could take a chunk of a new group if they had room. */
    Placement.Choice ignoringFreeSpace(Policy policy) {
        return choose(Placement.inReserve(0), policy, Optional.empty());
    }

    /**
     * The volumes that can take a chunk of the new group. What frees more than it takes may use half of the room that
     * users' writes leave, also of volumes that take no other new chunk; other rewrites under way may take as much of
     * the same volume.
     */
    Placement.Choice choose(RewriteJob job, Need.Rewrite rewrite) {
        long chunks = RunningRewrites.AT_ONCE * new GroupLayout(rewrite.policy(), rewrite.length()).chunkBytes(0);
        return choose(
                job.freesSpace() ? Placement.inReserve(context.settings().minFreeBytes() / 2 + chunks) : usual,
                rewrite.policy(),
                ring(rewrite));
    }

    /** The ring that the directories of all files set; none where they differ. */
    private Optional<RingId> ring(Need.Rewrite rewrite) {
        if (cluster.rings().now().rings().isEmpty()) {
            return Optional.empty();
        }
        try (MetadataView view = context.facts().get()) {
            NamespaceView namespace = view.knownNamespace();
            List<Optional<RingId>> wanted = rewrite.pieces().stream()
                    .map(RewritePiece::file)
                    .distinct()
                    .map(namespace::ringOf)
                    .distinct()
                    .toList();
            return wanted.size() > 1 ? Optional.empty() : wanted.get(0);
        }
    }

    private Placement.Choice choose(Placement from, Policy policy, Optional<RingId> ring) {
        return cluster.newGroup(from, policy, ring, Set.of());
    }
}

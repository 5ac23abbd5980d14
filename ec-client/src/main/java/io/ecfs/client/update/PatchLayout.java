package io.ecfs.client.update;

import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.client.base.RequestIds;
import io.ecfs.client.location.PatchedLocations;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.ReplaceLayout;
import io.ecfs.message.namespace.PatchGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Replaces the layout of a file that is open for update at the namenode: its extents, its patch groups, where their
 * indexes begin, and how many bytes of each are live. One call at a time.
 */
final class PatchLayout {
    private final NamenodeCaller namenode;
    private final RequestIds requests;
    private final InodeId file;
    private final PatchedLocations locations;
    private final Map<GroupId, Long> indexes = new HashMap<>();
    private final UpdatedLayout layout;
    private long version;

    /** @param layout follows what the namenode knows */
    PatchLayout(
            NamenodeCaller namenode,
            RequestIds requests,
            NamespaceReply.Updating opened,
            UpdatedLayout layout,
            PatchedLocations locations) {
        this.namenode = namenode;
        this.requests = requests;
        this.file = opened.status().inode();
        this.version = opened.version();
        this.layout = layout;
        this.locations = locations;
    }

    /** Tells the namenode of the groups that are sealed by now; those without live bytes are dropped. */
    CompletableFuture<Void> reportSealed(Optional<PatchStream.Sealed> indexed) {
        indexed.ifPresent(group -> indexes.put(group.group(), group.indexOffset()));
        return locations
                .locate()
                .thenCompose(located -> locations
                        .relocate(located)
                        .map(CompletableFuture::<Void>failedFuture)
                        .orElseGet(() -> replace(
                                layout.neededExtents(),
                                layout.retained(located.patches().orElseThrow().sealed(), indexes))));
    }

    /**
     * Makes an ordinary file of it, whose bytes are all in extents; to be called when all groups are sealed.
     *
     * @return false when it would have more extents than a file has at most
     */
    CompletableFuture<Boolean> flatten() {
        List<Extent> flat = layout.flat();
        return flat.size() > ReplaceLayout.MOST_EXTENTS
                ? CompletableFuture.completedFuture(false)
                : replace(flat, List.of()).thenApply(done -> true);
    }

    private CompletableFuture<Void> replace(List<Extent> left, List<PatchGroup> retained) {
        boolean same = left.equals(layout.extents());
        return namenode.call(
                        new ReplaceLayout(
                                requests.next(),
                                file,
                                version,
                                locations.patches().length(),
                                same ? Optional.empty() : Optional.of(left),
                                retained),
                        NamespaceReply.Updating.class)
                .thenAccept(replaced -> {
                    version = replaced.version();
                    layout.replace(left, replaced.patches());
                });
    }
}

package io.ecfs.client.update;

import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.client.base.RequestIds;
import io.ecfs.client.location.PatchedLocations;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.ReplaceLayout;
import io.ecfs.message.namespace.PatchGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What the namenode knows of an updater's patch groups: which there are, where their indexes begin, how many bytes of
 * each are live. One call at a time.
 */
final class PatchLayout {
    private final NamenodeCaller namenode;
    private final RequestIds requests;
    private final InodeId file;
    private final PatchedLocations locations;
    private final Map<GroupId, Long> indexes = new HashMap<>();
    private long version;

    PatchLayout(
            NamenodeCaller namenode, RequestIds requests, NamespaceReply.Opened opened, PatchedLocations locations) {
        this.namenode = namenode;
        this.requests = requests;
        this.file = opened.status().inode();
        this.version = opened.version();
        this.locations = locations;
    }

    /** Tells the namenode of the groups that are sealed by now; those without live bytes are dropped. */
    CompletableFuture<Void> sealed(Optional<PatchStream.Sealed> indexed) {
        indexed.ifPresent(group -> indexes.put(group.group(), group.indexOffset()));
        return locations.locate().thenCompose(this::replace);
    }

    private CompletableFuture<Void> replace(NamespaceReply.Located located) {
        List<PatchGroup> sealed = located.patches().orElseThrow().sealed();
        Map<GroupId, Long> live = locations.kept();
        List<PatchGroup> kept = new ArrayList<>();
        for (PatchGroup patch : sealed) {
            if (live.containsKey(patch.group())) {
                Optional<Long> index = patch.indexOffset().or(() -> Optional.ofNullable(indexes.get(patch.group())));
                kept.add(new PatchGroup(patch.group(), index, patch.length(), live.get(patch.group())));
            }
        }
        locations.relocate(located);
        return namenode.call(
                        new ReplaceLayout(requests.next(), file, version, locations.length(), Optional.empty(), kept),
                        NamespaceReply.Opened.class)
                .thenAccept(replaced -> version = replaced.version());
    }
}

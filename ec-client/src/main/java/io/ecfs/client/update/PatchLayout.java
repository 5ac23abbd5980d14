package io.ecfs.client.update;

import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.client.base.RequestIds;
import io.ecfs.client.location.PatchedLocations;
import io.ecfs.client.location.Stretch;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.ReplaceLayout;
import io.ecfs.message.namespace.PatchGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What the namenode knows of a file that is open for update: its extents, its patch groups, where their indexes begin,
 * and how many bytes of each are live. One call at a time.
 */
final class PatchLayout {
    private final NamenodeCaller namenode;
    private final RequestIds requests;
    private final InodeId file;
    private final PatchedLocations locations;
    private final Map<GroupId, Long> indexes = new HashMap<>();
    private List<Extent> extents;
    private List<PatchGroup> patches;
    private long version;

    /**
     * A group that has bytes of the file.
     *
     * @param patch empty: its bytes are under the patches
     * @param length of all its bytes that are the file's
     * @param live those that no patch hides
     * @param where the live ones are in the file
     */
    record Holder(Optional<GroupId> patch, long length, long live, Supplier<List<Stretch>> where) {
        long dead() {
            return length - live;
        }

        double liveShare() {
            return (double) live / length;
        }

        List<Stretch> stretches() {
            return where.get();
        }
    }

    /** @param extents all of the file */
    PatchLayout(
            NamenodeCaller namenode,
            RequestIds requests,
            NamespaceReply.Updating opened,
            List<Extent> extents,
            PatchedLocations locations) {
        this.namenode = namenode;
        this.requests = requests;
        this.file = opened.status().inode();
        this.version = opened.version();
        this.extents = List.copyOf(extents);
        this.patches = opened.patches();
        this.locations = locations;
    }

    /** Sealed groups that have bytes of the file. */
    List<Holder> holders() {
        List<Holder> holders = new ArrayList<>();
        Map<GroupId, Long> live = locations.patches().live();
        for (PatchGroup patch : patches) {
            GroupId group = patch.group();
            holders.add(new Holder(
                    Optional.of(group),
                    patch.length(),
                    live.getOrDefault(group, 0L),
                    () -> locations.patches().stretchesOf(group)));
        }
        Map<GroupId, List<Extent>> base = new LinkedHashMap<>();
        extents.forEach(extent ->
                base.computeIfAbsent(extent.group(), group -> new ArrayList<>()).add(extent));
        for (List<Extent> parts : base.values()) {
            List<Stretch> uncovered = uncovered(parts);
            holders.add(new Holder(
                    Optional.empty(),
                    parts.stream().mapToLong(Extent::length).sum(),
                    uncovered.stream().mapToLong(Stretch::bytes).sum(),
                    () -> uncovered));
        }
        return holders;
    }

    /** Sealed patch groups of the file. */
    int patchGroups() {
        return patches.size();
    }

    /** So many patch groups that have the fewest live bytes. */
    List<Holder> smallest(int count) {
        return holders().stream()
                .filter(holder -> holder.patch().isPresent())
                .sorted(Comparator.comparingLong(Holder::live))
                .limit(count)
                .toList();
    }

    private List<Stretch> uncovered(List<Extent> parts) {
        return parts.stream()
                .flatMap(extent ->
                        locations.patches().uncovered(new Stretch(extent.fileOffset(), extent.fileEnd())).stream())
                .toList();
    }

    /** Regions of so many bytes that have patches, and more than one piece. */
    List<Stretch> fragmented(long bytes) {
        List<Stretch> regions = new ArrayList<>();
        for (long at = 0; at < locations.patches().length(); ) {
            Stretch region =
                    new Stretch(at, Math.min(at + bytes, locations.patches().length()));
            int covered = locations.patches().covered(region).size();
            if (covered > 1 || (covered == 1 && !uncovered(within(region)).isEmpty())) {
                regions.add(region);
            }
            at = Math.max(region.to(), locations.patches().nextPatch(region.to()) / bytes * bytes);
        }
        return regions;
    }

    /** The parts of a region that are no holes, joined where they touch. */
    List<Stretch> written(Stretch region) {
        List<Stretch> written = new ArrayList<>(locations.patches().covered(region));
        written.addAll(uncovered(within(region)));
        return Stretch.joined(written);
    }

    private List<Extent> within(Stretch region) {
        return extents.stream()
                .filter(extent -> extent.fileOffset() < region.to() && extent.fileEnd() > region.from())
                .map(extent -> {
                    long from = Math.max(region.from(), extent.fileOffset());
                    return extent.part(from - extent.fileOffset(), Math.min(region.to(), extent.fileEnd()) - from);
                })
                .toList();
    }

    /** Tells the namenode of the groups that are sealed by now; those without live bytes are dropped. */
    CompletableFuture<Void> sealed(Optional<PatchStream.Sealed> indexed) {
        indexed.ifPresent(group -> indexes.put(group.group(), group.indexOffset()));
        return locations
                .locate()
                .thenCompose(located -> locations
                        .relocate(located)
                        .map(CompletableFuture::<Void>failedFuture)
                        .orElseGet(() -> replace(neededExtents(), kept(located))));
    }

    /** Without what is cut off, and those that patches cover as a whole. */
    private List<Extent> neededExtents() {
        long end = locations.patches().baseEnd();
        return extents.stream()
                .filter(extent -> !uncovered(List.of(extent)).isEmpty())
                .map(extent -> extent.first(Math.min(extent.length(), end - extent.fileOffset())))
                .toList();
    }

    private List<PatchGroup> kept(NamespaceReply.Located located) {
        Map<GroupId, Long> live = locations.patches().keep();
        List<PatchGroup> kept = new ArrayList<>();
        for (PatchGroup patch : located.patches().orElseThrow().sealed()) {
            if (live.containsKey(patch.group())) {
                Optional<Long> index = patch.indexOffset().or(() -> Optional.ofNullable(indexes.get(patch.group())));
                kept.add(new PatchGroup(patch.group(), index, patch.length(), live.get(patch.group())));
            }
        }
        return kept;
    }

    /**
     * Makes an ordinary file of it, whose bytes are all in extents; to be called when all groups are sealed.
     *
     * @return false when it would have more extents than a file has at most
     */
    CompletableFuture<Boolean> flatten() {
        List<Extent> flat = new ArrayList<>(locations.patches().extents());
        extents.forEach(extent -> locations
                .patches()
                .uncovered(new Stretch(extent.fileOffset(), extent.fileEnd()))
                .forEach(part -> flat.add(extent.part(part.from() - extent.fileOffset(), part.bytes()))));
        flat.sort((a, b) -> Long.compare(a.fileOffset(), b.fileOffset()));
        return flat.size() > ReplaceLayout.MOST_EXTENTS
                ? CompletableFuture.completedFuture(false)
                : replace(flat, List.of()).thenApply(done -> true);
    }

    private CompletableFuture<Void> replace(List<Extent> left, List<PatchGroup> kept) {
        boolean same = left.equals(extents);
        return namenode.call(
                        new ReplaceLayout(
                                requests.next(),
                                file,
                                version,
                                locations.patches().length(),
                                same ? Optional.empty() : Optional.of(left),
                                kept),
                        NamespaceReply.Updating.class)
                .thenAccept(replaced -> {
                    version = replaced.version();
                    extents = left;
                    patches = replaced.patches();
                });
    }
}

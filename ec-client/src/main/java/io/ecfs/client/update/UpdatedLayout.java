package io.ecfs.client.update;

import io.ecfs.client.location.PatchedBytes;
import io.ecfs.client.location.Stretch;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.PatchGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Extents and sealed patch groups of a file that is open for update, as the namenode knows them, and how much of each
 * is live. No I/O: it follows each {@code ReplaceLayout}. One call at a time.
 */
final class UpdatedLayout {
    private final PatchedBytes patched;
    private List<Extent> extents;
    private List<PatchGroup> patches;

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

    /**
     * @param patched where the newest bytes are
     * @param extents all of the file
     * @param patches the oldest first
     */
    UpdatedLayout(PatchedBytes patched, List<Extent> extents, List<PatchGroup> patches) {
        this.patched = patched;
        this.extents = List.copyOf(extents);
        this.patches = List.copyOf(patches);
    }

    /** Takes over what the namenode knows by now. */
    void replace(List<Extent> newExtents, List<PatchGroup> newPatches) {
        extents = List.copyOf(newExtents);
        patches = List.copyOf(newPatches);
    }

    List<Extent> extents() {
        return extents;
    }

    /** Sealed groups that have bytes of the file. */
    List<Holder> holders() {
        List<Holder> holders = new ArrayList<>();
        Map<GroupId, Long> live = patched.live();
        for (PatchGroup patch : patches) {
            GroupId group = patch.group();
            holders.add(new Holder(
                    Optional.of(group),
                    patch.length(),
                    live.getOrDefault(group, 0L),
                    () -> patched.stretchesOf(group)));
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
    List<Holder> leastLive(int count) {
        return holders().stream()
                .filter(holder -> holder.patch().isPresent())
                .sorted(Comparator.comparingLong(Holder::live))
                .limit(count)
                .toList();
    }

    private List<Stretch> uncovered(List<Extent> parts) {
        return parts.stream()
                .flatMap(extent -> patched.uncovered(new Stretch(extent.fileOffset(), extent.fileEnd())).stream())
                .toList();
    }

    /** Regions of so many bytes that have patches, and more than one piece. */
    List<Stretch> fragmented(long bytes) {
        List<Stretch> regions = new ArrayList<>();
        for (long at = 0; at < patched.length(); ) {
            Stretch region = new Stretch(at, Math.min(at + bytes, patched.length()));
            int covered = patched.covered(region).size();
            if (covered > 1 || (covered == 1 && !uncovered(within(region)).isEmpty())) {
                regions.add(region);
            }
            at = Math.max(region.to(), patched.nextPatch(region.to()) / bytes * bytes);
        }
        return regions;
    }

    /** The parts of a region that are no holes, joined where they touch. */
    List<Stretch> written(Stretch region) {
        List<Stretch> written = new ArrayList<>(patched.covered(region));
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

    /** The extents without what is cut off, and without those that patches cover as a whole. */
    List<Extent> neededExtents() {
        long end = patched.baseEnd();
        return extents.stream()
                .filter(extent -> !uncovered(List.of(extent)).isEmpty())
                .map(extent -> extent.first(Math.min(extent.length(), end - extent.fileOffset())))
                .toList();
    }

    /**
     * The patch groups that must stay; all others are given up.
     *
     * @param sealed all of the file
     * @param indexes where the indexes begin of which the namenode does not know yet
     */
    List<PatchGroup> retained(List<PatchGroup> sealed, Map<GroupId, Long> indexes) {
        Map<GroupId, Long> live = patched.keep();
        List<PatchGroup> retained = new ArrayList<>();
        for (PatchGroup patch : sealed) {
            if (live.containsKey(patch.group())) {
                Optional<Long> index = patch.indexOffset().or(() -> Optional.ofNullable(indexes.get(patch.group())));
                retained.add(new PatchGroup(patch.group(), index, patch.length(), live.get(patch.group())));
            }
        }
        return retained;
    }

    /** The extents of the file without patches: what is in patches now, and what is under them. */
    List<Extent> flat() {
        List<Extent> flat = new ArrayList<>(patched.extents());
        extents.forEach(extent -> patched.uncovered(new Stretch(extent.fileOffset(), extent.fileEnd()))
                .forEach(part -> flat.add(extent.part(part.from() - extent.fileOffset(), part.bytes()))));
        flat.sort(Comparator.comparingLong(Extent::fileOffset));
        return flat;
    }
}

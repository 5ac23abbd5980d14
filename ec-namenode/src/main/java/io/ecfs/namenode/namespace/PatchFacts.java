package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.NamespaceRequest.ReplaceLayout;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The sealed patch groups of one file, as one view or transaction has them. */
final class PatchFacts {
    private final Map<GroupId, GroupFacts> groups;

    private PatchFacts(Map<GroupId, GroupFacts> groups) {
        this.groups = groups;
    }

    static PatchFacts of(View view, Inode.File file) {
        Map<GroupId, GroupFacts> groups = new LinkedHashMap<>();
        for (Inode.Patch patch : file.patches()) {
            groups.put(
                    patch.group(),
                    Groups.find(view, patch.group())
                            .orElseThrow(
                                    () -> new IllegalStateException("patch group " + patch.group() + " has no row")));
        }
        return new PatchFacts(groups);
    }

    /** The oldest first. */
    List<GroupFacts> groups() {
        return List.copyOf(groups.values());
    }

    /** These patches of the file for its clients. Bytes of a group that no client has counted yet are live. */
    List<PatchGroup> listed(List<Inode.Patch> patches) {
        return patches.stream()
                .map(patch -> {
                    GroupFacts group = groups.get(patch.group());
                    long live = group.liveBytes().orElse(group.length());
                    return new PatchGroup(patch.group(), patch.indexOffset(), group.length(), live);
                })
                .toList();
    }

    /** Returns whether the bytes of an extent lie where they were written: in one of these groups. */
    boolean contain(Extent extent) {
        GroupFacts group = groups.get(extent.group());
        return group != null && extent.origin().isEmpty() && extent.groupOffset() + extent.length() <= group.length();
    }

    /**
     * The patches that a call leaves to the file.
     *
     * @param before those that it has
     * @throws EcfsException {@code INVALID_ARGUMENT} for one that the file does not have so
     */
    List<Inode.Patch> left(List<Inode.Patch> before, ReplaceLayout call) throws EcfsException {
        List<Inode.Patch> left = new ArrayList<>();
        Iterator<Inode.Patch> presents = before.iterator();
        for (PatchGroup patch : call.patches()) {
            Optional<Inode.Patch> present = Optional.empty();
            while (presents.hasNext() && present.isEmpty()) {
                present = Optional.of(presents.next()).filter(p -> p.group().equals(patch.group()));
            }
            if (present.isEmpty()) {
                throw UpdateCalls.refused(
                        call, "has no sealed patch group " + patch.group() + ", or not behind those named before it");
            }
            check(call, patch, present.get());
            left.add(new Inode.Patch(patch.group(), patch.indexOffset()));
        }
        return left;
    }

    private void check(ReplaceLayout call, PatchGroup patch, Inode.Patch present) throws EcfsException {
        long length = groups.get(patch.group()).length();
        if (patch.length() != length || patch.liveBytes() > length) {
            throw UpdateCalls.refused(
                    call,
                    "has " + length + " bytes in patch group " + patch.group() + ", not " + patch.length() + ", "
                            + patch.liveBytes() + " of them live");
        }
        boolean changed =
                present.indexOffset().isPresent() && !present.indexOffset().equals(patch.indexOffset());
        if (changed || patch.indexOffset().orElse(0L) >= length) {
            throw UpdateCalls.refused(
                    call,
                    "has patch group " + patch.group() + " of " + length + " bytes with an index at "
                            + present.indexOffset().map(String::valueOf).orElse("none") + ": it cannot be at "
                            + patch.indexOffset().map(String::valueOf).orElse("none"));
        }
    }

    /** Records the live bytes of the patches that are left; a group to which extents alone refer becomes ordinary. */
    void record(Transaction transaction, InodeId file, List<Extent> extents, List<PatchGroup> patches) {
        Map<GroupId, Long> live = new LinkedHashMap<>();
        patches.forEach(patch -> live.put(patch.group(), patch.liveBytes()));
        Set<GroupId> referred = new HashSet<>();
        extents.forEach(extent -> referred.add(extent.group()));
        for (GroupFacts group : groups.values()) {
            Long bytes = live.get(group.group());
            if (bytes != null && !group.liveBytes().equals(Optional.of(bytes))) {
                Groups.put(transaction, group.live(bytes));
            } else if (bytes == null && referred.contains(group.group())) {
                Groups.put(transaction, group.of(file));
            }
        }
    }
}

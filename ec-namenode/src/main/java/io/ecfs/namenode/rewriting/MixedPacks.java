package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Attributes.Rights;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * Files whose owner, group, mode or access control list were changed after they were packed: readers of their
 * neighbours may read whole stripes, and so a part of them. A file is moved when two rounds in a row find it: the
 * rights of a tree change file by file.
 */
final class MixedPacks {
    /** Files of a group whose rights are compared, and those when these differ. */
    private static final int SOME = 3;

    private static final int MORE = 100;

    /** Files that are remembered until the next round; others have their turn when these were moved. */
    private static final int MOST = 10_000;

    private Set<InodeId> foundBefore = Set.of();
    private Set<InodeId> foundNow = new HashSet<>();
    /** By group, of the page under way; empty: of one file alone, or not packed. */
    private final Map<GroupId, Optional<Rights>> majorityRights = new HashMap<>();

    void beginRound() {
        foundBefore = foundNow;
        foundNow = new HashSet<>();
    }

    void beginPage() {
        majorityRights.clear();
    }

    /** Extents, by policy, in sealed packs of which most files grant other rights than this one. */
    Map<Policy, List<Extent>> extents(MetadataView view, Inode file) {
        Map<Policy, List<Extent>> apart = new LinkedHashMap<>();
        for (Extent extent : ((Inode.File) file.body()).extents()) {
            boolean alike = majorityRights
                    .computeIfAbsent(extent.group(), group -> majority(view, group))
                    .map(file.attributes().rights()::equals)
                    .orElse(true);
            if (!alike) {
                Policy policy = view.group(extent.group()).orElseThrow().policy();
                apart.computeIfAbsent(policy, each -> new ArrayList<>()).add(extent);
            }
        }
        return apart;
    }

    /** Remembers a file with such extents; returns whether the round before found it, too. */
    boolean foundAgain(InodeId file) {
        if (foundNow.size() < MOST) {
            foundNow.add(file);
        }
        return foundBefore.contains(file);
    }

    private static Optional<Rights> majority(MetadataView view, GroupId id) {
        return view.sealedGroup(id).filter(PackedGroups::packed).flatMap(group -> {
            Map<Rights, Integer> files = count(view, group, SOME);
            return most(files.size() > 1 ? count(view, group, MORE) : files);
        });
    }

    private static Map<Rights, Integer> count(MetadataView view, GroupFacts group, int files) {
        NamespaceView namespace = view.knownNamespace();
        Map<Rights, Integer> counts = new LinkedHashMap<>();
        for (InodeId file : namespace.files(group, files)) {
            namespace
                    .inode(file)
                    .ifPresent(inode -> counts.merge(inode.attributes().rights(), 1, Integer::sum));
        }
        return counts;
    }

    /** The rights of the most files, of equally many those of the first. */
    private static Optional<Rights> most(Map<Rights, Integer> files) {
        return files.entrySet().stream()
                .reduce(BinaryOperator.maxBy(Comparator.comparingInt(Map.Entry::getValue)))
                .map(Map.Entry::getKey);
    }
}

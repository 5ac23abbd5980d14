package io.ecfs.sim.check;

import static io.ecfs.sim.time.SimulationFailure.check;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.state.MetadataView;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts anew what the facts count as extents change: the live bytes of groups and what the root's quota charges, from
 * all files that have a path. What was deleted and is not purged has live bytes too.
 */
final class ExtentRecount {
    private static final int PAGE = 1000;

    private final MetadataView facts;
    private final NamespaceView namespace;
    private final Map<GroupId, Long> live = new TreeMap<>();
    private long space;

    private ExtentRecount(MetadataView facts) {
        this.facts = facts;
        this.namespace = facts.knownNamespace();
    }

    /** @param superuser of the cluster */
    static void of(MetadataView facts, String superuser) {
        ExtentRecount recount = new ExtentRecount(facts);
        recount.directory(InodeId.ROOT);
        recount.compareLiveBytes();
        recount.compareQuota(superuser);
    }

    private void directory(InodeId directory) {
        List<Inode> page;
        String after = "";
        do {
            page = namespace.children(directory, after, PAGE);
            for (Inode inode : page) {
                after = inode.name();
                if (inode.body() instanceof Inode.File file) {
                    count(inode.id(), file);
                } else {
                    directory(inode.id());
                }
            }
        } while (!page.isEmpty());
    }

    private void count(InodeId inode, Inode.File file) {
        Set<GroupId> counted = new HashSet<>();
        for (Inode.Patch patch : file.patches()) {
            Optional<GroupFacts> found = facts.group(patch.group());
            check(found.isPresent(), "%s of %s is a group that is gone", patch, inode);
            live.merge(patch.group(), found.get().length(), Long::sum);
            counted.add(patch.group());
            space += new GroupLayout(found.get().policy(), found.get().length()).storedBytes();
        }
        for (Extent extent : file.extents()) {
            Optional<GroupFacts> found = facts.group(extent.group());
            check(found.isPresent(), "%s of %s lies in a group that is gone", extent, inode);
            GroupFacts group = found.get();
            live.merge(extent.group(), extent.length(), Long::sum);
            if (group.open() || PackedGroups.packed(group)) {
                Policy policy = group.open() ? file.policy() : group.policy();
                space += GroupLayout.storedBytes(policy, extent.length());
            } else if (counted.add(extent.group())) {
                space += new GroupLayout(group.policy(), group.length()).storedBytes();
            }
        }
        if (namespace.lease(inode).flatMap(Lease::openGroup).isPresent()) {
            space += new GroupLayout(file.policy(), file.policy().groupBytes()).storedBytes();
        }
    }

    private void compareLiveBytes() {
        boolean allCounted = facts.pendingDeletions() == 0;
        facts.groups(new GroupId(1), group -> {
            long counted = live.getOrDefault(group.group(), 0L);
            Optional.of(group)
                    .filter(PackedGroups::packed)
                    .map(PackedGroups::live)
                    .ifPresent(bytes -> check(
                            allCounted ? bytes == counted : bytes >= counted,
                            "files refer to %s bytes of %s",
                            counted,
                            group));
            check(group.open() || counted > 0 || !allCounted, "no file refers to a byte of the sealed %s", group);
            return true;
        });
    }

    private void compareQuota(String superuser) {
        try {
            NamespaceReply.Quota quota = namespace.quota(FilePath.ROOT, new CallerIdentity(superuser, List.of()));
            boolean counted = quota.space().isPresent();
            check(!counted || quota.spaceUsed() == space, "files take %s bytes, their quota has %s", space, quota);
        } catch (EcfsException e) {
            throw new IllegalStateException("the superuser may read the root's quota", e);
        }
    }
}

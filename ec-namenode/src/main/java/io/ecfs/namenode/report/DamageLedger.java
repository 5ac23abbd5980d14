package io.ecfs.namenode.report;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The sealed groups that are not whole and what they lack; memory and work are in proportion to the damage. Damage is noted by where it lies: on a
 * volume that cannot be used or does not have a chunk it should, or nowhere, for an index that was sealed without a chunk. A
 * group counts an index once, however often it is noted. Owner thread: the namenode's event thread.
 */
public final class DamageLedger {
    /** Groups by what they can lose: sums over all noted groups. */
    public record Counts(long degraded, long lost) {}

    private static final class Damaged {
        final Policy policy;
        /** Index to the number of notes. */
        final TreeMap<Integer, Integer> indices = new TreeMap<>();

        Damaged(Policy policy) {
            this.policy = policy;
        }

        boolean lost() {
            return !policy.code().decodable(ChunkSet.range(0, policy.chunks()).minus(ChunkSet.of(indices.keySet())));
        }
    }

    private final TreeMap<GroupId, Damaged> groups = new TreeMap<>();
    private final TreeMap<VolumeId, TreeSet<ChunkId>> byVolume = new TreeMap<>();
    private final TreeMap<GroupId, TreeSet<Integer>> absent = new TreeMap<>();
    private long lost;

    /**
     * Replaces what is noted for one volume.
     *
     * @param policies of the groups; a group it does not know is skipped
     */
    public void noteVolume(VolumeId volume, Collection<ChunkId> damaged, Function<GroupId, Optional<Policy>> policies) {
        TreeSet<ChunkId> before = byVolume.getOrDefault(volume, new TreeSet<>());
        TreeSet<ChunkId> after = new TreeSet<>(damaged);
        for (ChunkId chunk : before) {
            if (!after.contains(chunk)) {
                drop(chunk.group(), chunk.index());
            }
        }
        after.removeIf(chunk -> !before.contains(chunk) && !add(chunk.group(), chunk.index(), policies));
        if (after.isEmpty()) {
            byVolume.remove(volume);
        } else {
            byVolume.put(volume, after);
        }
    }

    /** Notes or clears one chunk of one volume. */
    public void noteChunk(
            VolumeId volume, ChunkId chunk, boolean damaged, Function<GroupId, Optional<Policy>> policies) {
        TreeSet<ChunkId> noted = byVolume.computeIfAbsent(volume, v -> new TreeSet<>());
        if (damaged && !noted.contains(chunk) && add(chunk.group(), chunk.index(), policies)) {
            noted.add(chunk);
        } else if (!damaged && noted.remove(chunk)) {
            drop(chunk.group(), chunk.index());
        }
        if (noted.isEmpty()) {
            byVolume.remove(volume);
        }
    }

    /** Replaces the indices of a group for which the facts have no chunk at all. */
    public void noteAbsent(GroupId group, Set<Integer> indices, Function<GroupId, Optional<Policy>> policies) {
        TreeSet<Integer> before = absent.getOrDefault(group, new TreeSet<>());
        TreeSet<Integer> after = new TreeSet<>(indices);
        before.stream().filter(index -> !after.contains(index)).forEach(index -> drop(group, index));
        after.removeIf(index -> !before.contains(index) && !add(group, index, policies));
        if (after.isEmpty()) {
            absent.remove(group);
        } else {
            absent.put(group, after);
        }
    }

    /** The group is gone: nothing is noted of it any more. */
    public void forget(GroupId group) {
        ChunkId first = new ChunkId(group, 0, 0);
        ChunkId last = new ChunkId(group, Policy.MAX_CHUNKS - 1, Integer.MAX_VALUE);
        byVolume.values().forEach(noted -> noted.subSet(first, true, last, true).clear());
        byVolume.values().removeIf(TreeSet::isEmpty);
        absent.remove(group);
        Damaged damaged = groups.remove(group);
        lost -= damaged != null && damaged.lost() ? 1 : 0;
    }

    /** At most {@code limit} damaged groups in order, from {@code first} on. */
    public List<GroupId> damagedFrom(GroupId first, int limit) {
        return groups.tailMap(first, true).keySet().stream().limit(limit).toList();
    }

    /** Damaged groups in order, with the indices that lack. */
    public Map<GroupId, Set<Integer>> damaged() {
        TreeMap<GroupId, Set<Integer>> all = new TreeMap<>();
        groups.forEach((group, damaged) -> all.put(group, Set.copyOf(damaged.indices.keySet())));
        return all;
    }

    public Counts counts() {
        return new Counts(groups.size() - lost, lost);
    }

    private boolean add(GroupId group, int index, Function<GroupId, Optional<Policy>> policies) {
        Damaged damaged = groups.get(group);
        if (damaged == null) {
            Optional<Policy> policy = policies.apply(group);
            if (policy.isEmpty()) {
                return false;
            }
            damaged = new Damaged(policy.get());
            groups.put(group, damaged);
        }
        boolean lostBefore = damaged.lost();
        damaged.indices.merge(index, 1, Integer::sum);
        lost += damaged.lost() && !lostBefore ? 1 : 0;
        return true;
    }

    private void drop(GroupId group, int index) {
        Damaged damaged = groups.get(group);
        boolean lostBefore = damaged.lost();
        damaged.indices.computeIfPresent(index, (i, notes) -> notes == 1 ? null : notes - 1);
        lost -= lostBefore && !damaged.lost() ? 1 : 0;
        if (damaged.indices.isEmpty()) {
            groups.remove(group);
        }
    }
}

package io.ecfs.namenode.report;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The sealed groups that are not whole and what they lack; memory and work are in proportion to the damage. Damage is noted by where it lies: on a
 * volume that cannot be used or does not have a chunk it should, or nowhere, for an index that was sealed without a chunk. A
 * group counts an index once, however often it is noted. Owner thread: the namenode's event thread.
 */
public final class DamageLedger {
    /**
     * How much a damaged group presses: the fewer further losses it surely survives the more, then the longer it is damaged.
     *
     * @param spare further losses that it surely survives; never negative
     * @param number grows with the time of the first note
     */
    public record Urgency(int spare, long number, GroupId group) implements Comparable<Urgency> {
        private static final Comparator<Urgency> ORDER =
                Comparator.comparingInt(Urgency::spare).thenComparingLong(Urgency::number);

        @Override
        public int compareTo(Urgency other) {
            return ORDER.compare(this, other);
        }
    }

    /** Groups by what they can lose: sums over all noted groups. */
    public record Counts(long degraded, long lost) {}

    /** @param notes how often an index is noted */
    private record Lack(int notes, long sinceMillis) {}

    private static final class Damaged {
        final Policy policy;
        final long number;
        final TreeMap<Integer, Lack> indices = new TreeMap<>();

        Damaged(Policy policy, long number) {
            this.policy = policy;
            this.number = number;
        }

        ChunkSet left() {
            return ChunkSet.range(0, policy.chunks()).minus(ChunkSet.of(indices.keySet()));
        }

        boolean lost() {
            return !policy.code().decodable(left());
        }

        /** Empty when it is lost, or not damaged any more: then there is nothing to repair. */
        Optional<Urgency> urgency(GroupId group) {
            if (indices.isEmpty() || lost()) {
                return Optional.empty();
            }
            int sure = policy.code().survivedLosses() - indices.size();
            int spare = sure > 0 ? sure : policy.code().redundant(left()) ? 1 : 0;
            return Optional.of(new Urgency(spare, number, group));
        }
    }

    private final LongSupplier nowMillis;
    private final TreeSet<Urgency> urgent = new TreeSet<>();
    private long noted;

    private final TreeMap<GroupId, Damaged> groups = new TreeMap<>();
    private final TreeMap<VolumeId, TreeSet<ChunkId>> byVolume = new TreeMap<>();
    private final TreeMap<GroupId, TreeSet<Integer>> absent = new TreeMap<>();
    private final TreeSet<GroupId> lost = new TreeSet<>();

    /** @param nowMillis a clock for the age of damage, monotonic */
    public DamageLedger(LongSupplier nowMillis) {
        this.nowMillis = nowMillis;
    }

    /**
     * Replaces what is noted for a stretch of one volume's chunks, those behind {@code after} up to {@code last}.
     *
     * @param after empty: from the first chunk on
     * @param last behind {@code after}; empty: to the end
     * @param damaged chunks of the stretch
     * @param policies of the groups; a group it does not know is skipped
     */
    public void noteStretch(
            VolumeId volume,
            Optional<ChunkId> after,
            Optional<ChunkId> last,
            Set<ChunkId> damaged,
            Function<GroupId, Optional<Policy>> policies) {
        TreeSet<ChunkId> noted = byVolume.computeIfAbsent(volume, v -> new TreeSet<>());
        NavigableSet<ChunkId> behind = after.isEmpty() ? noted : noted.tailSet(after.get(), false);
        NavigableSet<ChunkId> stretch = last.isEmpty() ? behind : behind.headSet(last.get(), true);
        for (ChunkId chunk : List.copyOf(stretch)) {
            if (!damaged.contains(chunk)) {
                noted.remove(chunk);
                drop(chunk.group(), chunk.index());
            }
        }
        for (ChunkId chunk : damaged) {
            if (!noted.contains(chunk) && add(chunk.group(), chunk.index(), policies)) {
                noted.add(chunk);
            }
        }
        if (noted.isEmpty()) {
            byVolume.remove(volume);
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
        if (damaged != null) {
            damaged.urgency(group).ifPresent(urgent::remove);
        }
        lost.remove(group);
    }

    /** At most {@code limit} damaged groups in order, from {@code first} on. */
    public List<GroupId> damagedFrom(GroupId first, int limit) {
        return groups.tailMap(first, true).keySet().stream().limit(limit).toList();
    }

    /** At most {@code limit} groups in order, from {@code first} on, that too few chunks are left of to tell their bytes. */
    public List<GroupId> lostFrom(GroupId first, int limit) {
        return lost.tailSet(first, true).stream().limit(limit).toList();
    }

    public boolean lost(GroupId group) {
        return lost.contains(group);
    }

    /** Whether any chunk of a volume is noted. */
    public boolean notedOn(VolumeId volume) {
        return byVolume.containsKey(volume);
    }

    /** Whether any group is noted that was sealed without a chunk. */
    public boolean notedAbsent() {
        return !absent.isEmpty();
    }

    /** Damaged groups in order, with the indices that lack. */
    public Map<GroupId, Set<Integer>> damaged() {
        TreeMap<GroupId, Set<Integer>> all = new TreeMap<>();
        groups.forEach((group, damaged) -> all.put(group, Set.copyOf(damaged.indices.keySet())));
        return all;
    }

    /** What a group lacks: index to when that was first noted, monotonic milliseconds. Empty for a group that is whole. */
    public Map<Integer, Long> lacking(GroupId group) {
        TreeMap<Integer, Long> lacking = new TreeMap<>();
        Damaged damaged = groups.get(group);
        if (damaged != null) {
            damaged.indices.forEach((index, lack) -> lacking.put(index, lack.sinceMillis()));
        }
        return lacking;
    }

    /** Damaged groups that can be repaired, most urgent first, from behind {@code after} on. */
    public List<Urgency> urgent(Optional<Urgency> after, int limit) {
        return (after.isPresent() ? urgent.tailSet(after.get(), false) : urgent)
                .stream().limit(limit).toList();
    }

    public Counts counts() {
        return new Counts(groups.size() - lost.size(), lost.size());
    }

    private boolean add(GroupId group, int index, Function<GroupId, Optional<Policy>> policies) {
        Damaged damaged = groups.get(group);
        if (damaged == null) {
            Optional<Policy> policy = policies.apply(group);
            if (policy.isEmpty()) {
                return false;
            }
            damaged = new Damaged(policy.get(), ++noted);
            groups.put(group, damaged);
        }
        change(group, damaged, index, 1);
        return true;
    }

    private void drop(GroupId group, int index) {
        Damaged damaged = groups.get(group);
        change(group, damaged, index, -1);
        if (damaged.indices.isEmpty()) {
            groups.remove(group);
        }
    }

    private void change(GroupId group, Damaged damaged, int index, int notes) {
        Lack before = damaged.indices.getOrDefault(index, new Lack(0, nowMillis.getAsLong()));
        int now = before.notes() + notes;
        if (now > 0 && before.notes() > 0) {
            damaged.indices.put(index, new Lack(now, before.sinceMillis()));
            return;
        }
        damaged.urgency(group).ifPresent(urgent::remove);
        if (now > 0) {
            damaged.indices.put(index, new Lack(now, before.sinceMillis()));
        } else {
            damaged.indices.remove(index);
        }
        if (damaged.lost()) {
            lost.add(group);
        } else {
            lost.remove(group);
        }
        damaged.urgency(group).ifPresent(urgent::add);
    }
}

package io.ecfs.namenode.health;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The sealed groups that are not whole and what they lack; work and memory are in proportion to the damage: some 50
 * bytes a chunk, since the note of a group is an object that many groups share. Damage is noted by its place: on a
 * volume that cannot be used or lacks a chunk, or nowhere, for an index that was sealed without a chunk. A group counts
 * an index once, however often it is noted. Owner thread: the namenode's event thread.
 */
public final class UnderReplicationIndex {
    /** Bound of the table of shared objects; past it the table is cleared, and some objects exist twice. */
    private static final int MOST_SHARED = 4096;

    private static final int PAGE = 1000;
    private static final long RANK_MILLIS = 1000;

    /**
     * Priority of a damaged group: the fewer further losses it surely survives, then the longer it is damaged.
     * @param spare further losses that it surely survives; never negative
     * @param sinceSeconds when it was first noted, monotonic
     */
    public record Urgency(int spare, long sinceSeconds, GroupId group) implements Comparable<Urgency> {
        private static final Comparator<Urgency> ORDER = Comparator.comparingInt(Urgency::spare)
                .thenComparingLong(Urgency::sinceSeconds)
                .thenComparing(Urgency::group);

        @Override
        public int compareTo(Urgency other) {
            return ORDER.compare(this, other);
        }
    }

    /** Groups by whether they are lost: sums over all noted groups. */
    public record Counts(long degraded, long lost) {}

    /** @param notes how often an index is noted */
    private record Lack(int index, int notes, long sinceMillis) {}

    /** @param lacks in the order of their indexes; at least one */
    private record Damage(Policy policy, long sinceMillis, List<Lack> lacks) {}

    /** Derived from a {@link Damage}: whether too few chunks are left, and the rank of the group otherwise. */
    private static final class Damaged {
        final Damage damage;
        final OptionalInt spare;

        Damaged(Damage damage) {
            this.damage = damage;
            Policy policy = damage.policy();
            ChunkSet left = ChunkSet.range(0, policy.chunks())
                    .minus(ChunkSet.of(damage.lacks().stream().map(Lack::index).toList()));
            if (!policy.code().decodable(left)) {
                spare = OptionalInt.empty();
            } else {
                int sure = policy.code().survivedLosses() - damage.lacks().size();
                spare = OptionalInt.of(sure > 0 ? sure : policy.code().redundant(left) ? 1 : 0);
            }
        }

        boolean lost() {
            return spare.isEmpty();
        }

        Rank rank() {
            return new Rank(spare.orElseThrow(), damage.sinceMillis() / RANK_MILLIS);
        }
    }

    /** Groups of one rank are equally urgent. */
    private record Rank(int spare, long sinceSeconds) implements Comparable<Rank> {
        @Override
        public int compareTo(Rank other) {
            int bySpare = Integer.compare(spare, other.spare);
            return bySpare != 0 ? bySpare : Long.compare(sinceSeconds, other.sinceSeconds);
        }
    }

    /** A chunk of a known group. */
    private record Part(int index, int generation) {
        ChunkId of(GroupId group) {
            return new ChunkId(group, index, generation);
        }
    }

    private final LongSupplier nowMillis;
    private final GroupMap<Damaged> groups = new GroupMap<>();
    private final TreeMap<Rank, GroupMap<Boolean>> urgent = new TreeMap<>();
    private final GroupMap<Boolean> lost = new GroupMap<>();
    private final GroupMap<Boolean> cutShort = new GroupMap<>();
    private final TreeMap<VolumeId, GroupMap<List<Part>>> byVolume = new TreeMap<>();
    private final TreeMap<GroupId, TreeSet<Integer>> absent = new TreeMap<>();
    private final Map<Damage, Damaged> shared = new HashMap<>();
    private final Map<List<Part>, List<Part>> sharedParts = new HashMap<>();

    /** @param nowMillis a clock for the age of damage, monotonic */
    public UnderReplicationIndex(LongSupplier nowMillis) {
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
        long now = nowMillis.getAsLong();
        for (ChunkId chunk : noted(volume, after, last)) {
            if (!damaged.contains(chunk)) {
                clear(volume, chunk, now);
            }
        }
        for (ChunkId chunk : damaged) {
            note(volume, chunk, now, policies);
        }
    }

    /** Notes or clears one chunk of one volume. */
    public void noteChunk(
            VolumeId volume, ChunkId chunk, boolean damaged, Function<GroupId, Optional<Policy>> policies) {
        if (damaged) {
            note(volume, chunk, nowMillis.getAsLong(), policies);
        } else {
            clear(volume, chunk, nowMillis.getAsLong());
        }
    }

    private List<ChunkId> noted(VolumeId volume, Optional<ChunkId> after, Optional<ChunkId> last) {
        List<ChunkId> found = new ArrayList<>();
        GroupMap<List<Part>> all = byVolume.getOrDefault(volume, new GroupMap<>());
        GroupId next = after.map(ChunkId::group).orElse(new GroupId(1));
        while (true) {
            List<GroupId> page = all.from(next, PAGE);
            for (GroupId group : page) {
                if (last.filter(end -> group.compareTo(end.group()) > 0).isPresent()) {
                    return found;
                }
                for (Part part : all.get(group).orElseThrow()) {
                    ChunkId chunk = part.of(group);
                    if (after.filter(begin -> chunk.compareTo(begin) <= 0).isEmpty()
                            && last.filter(end -> chunk.compareTo(end) > 0).isEmpty()) {
                        found.add(chunk);
                    }
                }
            }
            if (page.size() < PAGE) {
                return found;
            }
            next = new GroupId(page.get(PAGE - 1).value() + 1);
        }
    }

    private void note(VolumeId volume, ChunkId chunk, long now, Function<GroupId, Optional<Policy>> policies) {
        GroupMap<List<Part>> noted = byVolume.computeIfAbsent(volume, v -> new GroupMap<>());
        List<Part> parts = noted.get(chunk.group()).orElse(List.of());
        Part part = new Part(chunk.index(), chunk.generation());
        if (!parts.contains(part) && add(chunk.group(), chunk.index(), now, policies)) {
            List<Part> more = new ArrayList<>(parts);
            more.add(part);
            noted.put(chunk.group(), share(more));
        } else if (noted.isEmpty()) {
            byVolume.remove(volume);
        }
    }

    private void clear(VolumeId volume, ChunkId chunk, long now) {
        GroupMap<List<Part>> noted = byVolume.get(volume);
        List<Part> parts = noted == null ? List.of() : noted.get(chunk.group()).orElse(List.of());
        List<Part> left = new ArrayList<>(parts);
        if (!left.remove(new Part(chunk.index(), chunk.generation()))) {
            return;
        }
        if (left.isEmpty()) {
            noted.remove(chunk.group());
        } else {
            noted.put(chunk.group(), share(left));
        }
        if (noted.isEmpty()) {
            byVolume.remove(volume);
        }
        drop(chunk.group(), chunk.index(), now);
    }

    /** Returns whether this very chunk is noted on the volume. */
    public boolean noted(VolumeId volume, ChunkId chunk) {
        GroupMap<List<Part>> noted = byVolume.get(volume);
        return noted != null
                && noted.get(chunk.group())
                        .filter(parts -> parts.contains(new Part(chunk.index(), chunk.generation())))
                        .isPresent();
    }

    private List<Part> share(List<Part> parts) {
        if (sharedParts.size() >= MOST_SHARED) {
            sharedParts.clear();
        }
        return sharedParts.computeIfAbsent(List.copyOf(parts), same -> same);
    }

    /** Replaces the indices of a group for which the facts have no chunk at all. */
    public void noteAbsent(GroupId group, Set<Integer> indices, Function<GroupId, Optional<Policy>> policies) {
        long now = nowMillis.getAsLong();
        TreeSet<Integer> before = absent.getOrDefault(group, new TreeSet<>());
        TreeSet<Integer> after = new TreeSet<>(indices);
        before.stream().filter(index -> !after.contains(index)).forEach(index -> drop(group, index, now));
        after.removeIf(index -> !before.contains(index) && !add(group, index, now, policies));
        if (after.isEmpty()) {
            absent.remove(group);
        } else {
            absent.put(group, after);
        }
    }

    /** Drops all notes of a group that is gone. */
    public void forget(GroupId group) {
        byVolume.values().forEach(noted -> noted.remove(group));
        byVolume.values().removeIf(GroupMap::isEmpty);
        absent.remove(group);
        groups.remove(group).ifPresent(damaged -> unrank(group, damaged));
    }

    /** At most {@code limit} damaged groups in order, from {@code first} on. */
    public List<GroupId> damagedFrom(GroupId first, int limit) {
        return groups.from(first, limit);
    }

    /** At most {@code limit} groups in order, from {@code first} on, that have too few chunks left to be decoded. */
    public List<GroupId> lostFrom(GroupId first, int limit) {
        return lost.from(first, limit);
    }

    /** Notes whether a group ends before bytes that files refer to; it may be whole as far as it goes. */
    public void noteCutShort(GroupId group, boolean cut) {
        if (cut) {
            cutShort.put(group, true);
        } else {
            cutShort.remove(group);
        }
    }

    /** As {@link #lostFrom}, of those that end before bytes that files refer to. */
    public List<GroupId> cutShortFrom(GroupId first, int limit) {
        return cutShort.from(first, limit);
    }

    public boolean lost(GroupId group) {
        return lost.get(group).isPresent();
    }

    /** Returns whether any chunk of a volume is noted. */
    public boolean notedOn(VolumeId volume) {
        return byVolume.containsKey(volume);
    }

    /** Returns whether any group is noted that was sealed without a chunk. */
    public boolean notedAbsent() {
        return !absent.isEmpty();
    }

    /** Damaged groups in order, with the indices that lack. */
    public Map<GroupId, Set<Integer>> damaged() {
        TreeMap<GroupId, Set<Integer>> all = new TreeMap<>();
        groups.forEach((damaged, group) -> all.put(
                new GroupId(group),
                new TreeSet<>(damaged.damage.lacks().stream().map(Lack::index).toList())));
        return all;
    }

    /**
     * Missing indexes of a group, each with the time at which it was first noted, monotonic milliseconds. Empty for a
     * group that is whole.
     */
    public Map<Integer, Long> lacking(GroupId group) {
        TreeMap<Integer, Long> lacking = new TreeMap<>();
        groups.get(group)
                .ifPresent(damaged ->
                        damaged.damage.lacks().forEach(lack -> lacking.put(lack.index(), lack.sinceMillis())));
        return lacking;
    }

    /** Damaged groups that can be repaired, most urgent first, from behind {@code after} on. */
    public List<Urgency> urgent(Optional<Urgency> after, int limit) {
        List<Urgency> found = new ArrayList<>();
        Optional<Rank> from = after.map(last -> new Rank(last.spare(), last.sinceSeconds()));
        for (Map.Entry<Rank, GroupMap<Boolean>> entry :
                (from.isPresent() ? urgent.tailMap(from.get(), true) : urgent).entrySet()) {
            Rank rank = entry.getKey();
            GroupId first = from.filter(rank::equals).isPresent()
                    ? new GroupId(after.orElseThrow().group().value() + 1)
                    : new GroupId(1);
            entry.getValue()
                    .from(first, limit - found.size())
                    .forEach(group -> found.add(new Urgency(rank.spare(), rank.sinceSeconds(), group)));
            if (found.size() >= limit) {
                break;
            }
        }
        return found;
    }

    public Counts counts() {
        return new Counts(groups.size() - lost.size(), lost.size());
    }

    /** Numbers of damaged groups that surely survive no further loss, one, two …; lost ones are not among them. */
    public List<Long> degradedBySpare() {
        List<Long> counts = new ArrayList<>();
        urgent.forEach((rank, same) -> {
            while (counts.size() <= rank.spare()) {
                counts.add(0L);
            }
            counts.set(rank.spare(), counts.get(rank.spare()) + same.size());
        });
        return counts;
    }

    private boolean add(GroupId group, int index, long now, Function<GroupId, Optional<Policy>> policies) {
        Optional<Damage> before = groups.get(group).map(damaged -> damaged.damage);
        Optional<Policy> policy = before.isPresent() ? before.map(Damage::policy) : policies.apply(group);
        policy.ifPresent(known -> change(
                group, new Damage(known, before.map(Damage::sinceMillis).orElse(now), noted(before, index, 1, now))));
        return policy.isPresent();
    }

    private void drop(GroupId group, int index, long now) {
        Damage before = groups.get(group).orElseThrow().damage;
        change(group, new Damage(before.policy(), before.sinceMillis(), noted(Optional.of(before), index, -1, now)));
    }

    /** The missing indexes of a group when one of them is noted so many times more. */
    private static List<Lack> noted(Optional<Damage> before, int index, int notes, long now) {
        TreeMap<Integer, Lack> lacks = new TreeMap<>();
        before.ifPresent(damage -> damage.lacks().forEach(lack -> lacks.put(lack.index(), lack)));
        Lack lack = lacks.getOrDefault(index, new Lack(index, 0, now));
        lacks.put(index, new Lack(index, lack.notes() + notes, lack.sinceMillis()));
        lacks.values().removeIf(each -> each.notes() == 0);
        return List.copyOf(lacks.values());
    }

    private void change(GroupId group, Damage now) {
        groups.get(group).ifPresent(before -> unrank(group, before));
        if (now.lacks().isEmpty()) {
            groups.remove(group);
            return;
        }
        if (shared.size() >= MOST_SHARED) {
            shared.clear();
        }
        Damaged damaged = shared.computeIfAbsent(now, Damaged::new);
        groups.put(group, damaged);
        if (damaged.lost()) {
            lost.put(group, true);
        } else {
            urgent.computeIfAbsent(damaged.rank(), rank -> new GroupMap<>()).put(group, true);
        }
    }

    private void unrank(GroupId group, Damaged damaged) {
        if (damaged.lost()) {
            lost.remove(group);
            return;
        }
        GroupMap<Boolean> same = urgent.get(damaged.rank());
        same.remove(group);
        if (same.isEmpty()) {
            urgent.remove(damaged.rank());
        }
    }
}

package io.ecfs.namenode.health;

import io.ecfs.layout.GroupId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/**
 * Groups in order, each with a value, in leaves of up to {@value #LEAF}: 12 bytes a group and what its value takes,
 * where a tree of objects takes a hundred. Made for values that many groups share. Owner thread: the namenode's event
 * thread.
 */
final class GroupMap<V> {
    private static final int LEAF = 256;
    private static final int LEAST = 2;

    private final TreeMap<Long, Leaf> leaves = new TreeMap<>(); // by their first group, or one before it
    private int size;

    private static final class Leaf {
        long[] groups = new long[LEAST];
        Object[] values = new Object[LEAST];
        int count;

        int find(long group) {
            return Arrays.binarySearch(groups, 0, count, group);
        }

        void ensure(int room) {
            if (groups.length < room) {
                int larger = Math.min(LEAF, Math.max(room, 2 * groups.length));
                groups = Arrays.copyOf(groups, larger);
                values = Arrays.copyOf(values, larger);
            }
        }

        void insert(int at, long group, Object value) {
            ensure(count + 1);
            System.arraycopy(groups, at, groups, at + 1, count - at);
            System.arraycopy(values, at, values, at + 1, count - at);
            groups[at] = group;
            values[at] = value;
            count++;
        }

        void delete(int at) {
            count--;
            System.arraycopy(groups, at + 1, groups, at, count - at);
            System.arraycopy(values, at + 1, values, at, count - at);
            values[count] = null;
        }

        Leaf upperHalf() {
            Leaf upper = new Leaf();
            int half = count / 2;
            upper.ensure(LEAF);
            upper.count = count - half;
            System.arraycopy(groups, half, upper.groups, 0, upper.count);
            System.arraycopy(values, half, upper.values, 0, upper.count);
            Arrays.fill(values, half, count, null);
            count = half;
            return upper;
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Optional<V> get(GroupId group) {
        Map.Entry<Long, Leaf> entry = leaves.floorEntry(group.value());
        if (entry == null) {
            return Optional.empty();
        }
        int at = entry.getValue().find(group.value());
        return at < 0 ? Optional.empty() : Optional.of(value(entry.getValue(), at));
    }

    void put(GroupId group, V value) {
        Objects.requireNonNull(value, "value");
        long key = group.value();
        Map.Entry<Long, Leaf> entry = leaves.floorEntry(key);
        if (entry == null) {
            // Before all: the first leaf takes it, under the new first group.
            Map.Entry<Long, Leaf> first = leaves.pollFirstEntry();
            Leaf leaf = first == null ? new Leaf() : first.getValue();
            leaves.put(key, leaf);
            entry = Map.entry(key, leaf);
        }
        Leaf leaf = entry.getValue();
        int at = leaf.find(key);
        if (at >= 0) {
            leaf.values[at] = value;
            return;
        }
        if (leaf.count == LEAF) {
            // Groups mostly come in order: a full last leaf stays full.
            boolean behindAll = -at - 1 == LEAF && entry.getKey().equals(leaves.lastKey());
            Leaf upper = behindAll ? new Leaf() : leaf.upperHalf();
            leaves.put(behindAll ? key : upper.groups[0], upper);
            leaf = behindAll || key >= upper.groups[0] ? upper : leaf;
            at = leaf.find(key);
        }
        leaf.insert(-at - 1, key, value);
        size++;
    }

    Optional<V> remove(GroupId group) {
        Map.Entry<Long, Leaf> entry = leaves.floorEntry(group.value());
        int at = entry == null ? -1 : entry.getValue().find(group.value());
        if (at < 0) {
            return Optional.empty();
        }
        Leaf leaf = entry.getValue();
        V value = value(leaf, at);
        leaf.delete(at);
        size--;
        if (leaf.count == 0) {
            leaves.remove(entry.getKey());
        } else {
            joinNext(entry.getKey(), leaf);
        }
        return Optional.of(value);
    }

    /** Two neighbours that fill no more than a half of a leaf become one. */
    private void joinNext(long key, Leaf leaf) {
        Map.Entry<Long, Leaf> next = leaves.higherEntry(key);
        if (next != null && leaf.count + next.getValue().count <= LEAF / 2) {
            Leaf other = next.getValue();
            leaf.ensure(leaf.count + other.count);
            System.arraycopy(other.groups, 0, leaf.groups, leaf.count, other.count);
            System.arraycopy(other.values, 0, leaf.values, leaf.count, other.count);
            leaf.count += other.count;
            leaves.remove(next.getKey());
        }
    }

    /** At most {@code limit} groups in order, from {@code first} on. */
    List<GroupId> from(GroupId first, int limit) {
        List<GroupId> found = new ArrayList<>();
        Long start = leaves.floorKey(first.value());
        for (Leaf leaf : (start == null ? leaves : leaves.tailMap(start, true)).values()) {
            for (int at = 0; at < leaf.count && found.size() < limit; at++) {
                if (leaf.groups[at] >= first.value()) {
                    found.add(new GroupId(leaf.groups[at]));
                }
            }
            if (found.size() >= limit) {
                break;
            }
        }
        return found;
    }

    /** All, in order; nothing is to be changed meanwhile. */
    void forEach(ObjLongConsumer<V> each) {
        for (Leaf leaf : leaves.values()) {
            for (int at = 0; at < leaf.count; at++) {
                each.accept(value(leaf, at), leaf.groups[at]);
            }
        }
    }

    @SuppressWarnings("unchecked") // only put() stores values
    private V value(Leaf leaf, int at) {
        return (V) leaf.values[at];
    }
}

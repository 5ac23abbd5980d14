package io.ecfs.layout;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The number of a block group: unique in a cluster for ever, allocated by the namenode's log in growing order from 1.
 *
 * <pre>
 *   bit 63    62 .. 51       50 .. 39       38 .. 0
 *       0     shard: 0       epoch          number
 * </pre>
 *
 * The epoch grows when the namenodes' state is restored from a backup, and at no other time: numbers that were given
 * out between the backup and the restore are never given to other groups. Order is by shard, epoch, number, so groups
 * of one shard are in the order of their allocation.
 */
public record GroupId(@JsonValue long value) implements Comparable<GroupId> {
    private static final int NUMBER_BITS = 39;
    private static final int EPOCH_BITS = 12;

    public static final int MAX_EPOCH = (1 << EPOCH_BITS) - 1;
    public static final long MAX_NUMBER = (1L << NUMBER_BITS) - 1;

    @JsonCreator
    public GroupId {
        if (value <= 0) {
            throw new IllegalArgumentException("group id must be positive: " + value);
        }
    }

    /** Of shard 0. */
    public static GroupId of(int epoch, long number) {
        if (epoch < 0 || epoch > MAX_EPOCH || number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException("no group has epoch " + epoch + " and number " + number);
        }
        return new GroupId((long) epoch << NUMBER_BITS | number);
    }

    public int shard() {
        return (int) (value >>> (NUMBER_BITS + EPOCH_BITS));
    }

    public int epoch() {
        return (int) (value >>> NUMBER_BITS) & MAX_EPOCH;
    }

    public long number() {
        return value & MAX_NUMBER;
    }

    @Override
    public int compareTo(GroupId other) {
        return Long.compare(value, other.value);
    }

    /**
     * Reads the text form, and a plain value.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static GroupId parse(String text) {
        String[] parts = (text.startsWith("g") ? text.substring(1) : text).split(":", -1);
        try {
            if (parts.length == 1) {
                return new GroupId(Long.parseLong(parts[0]));
            }
            GroupId group = of(Integer.parseInt(parts[parts.length - 2]), Long.parseLong(parts[parts.length - 1]));
            long shard = parts.length == 3 ? Long.parseLong(parts[0]) : 0;
            if (parts.length <= 3 && shard >= 0 && shard <= MAX_EPOCH) {
                return new GroupId(shard << (NUMBER_BITS + EPOCH_BITS) | group.value());
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a group has a number, as 17 or g17, got '" + text + "'", e);
        }
        throw new IllegalArgumentException("a group has a number, as 17 or g17, got '" + text + "'");
    }

    /** {@code g17}; of a later epoch {@code g2:17}, of another shard {@code g1:2:17}. */
    @Override
    public String toString() {
        String epochAndNumber = epoch() == 0 && shard() == 0 ? "" + number() : epoch() + ":" + number();
        return "g" + (shard() == 0 ? "" : shard() + ":") + epochAndNumber;
    }
}

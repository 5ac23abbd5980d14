package io.ecfs.namenode.group;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Which stamp belongs to each group number that this state ever allocated, also when the group is gone. Every leader
 * draws a stamp at random, so they change seldom and are stored as runs of numbers. A state that was rolled back
 * allocates the numbers behind it once more, with another stamp: a chunk with the old one is recognised as another
 * group's, whether the new group lives or is deleted.
 *
 * <pre>
 *   meta  stamp                           stamp i32 of the latest run
 *   meta  stamp/ (MAX - first group) i64  stamp i32; nothing: these numbers were never allocated, or not by this state
 * </pre>
 *
 * Numbers before the first run are of the release before stamps: their stamp is 0.
 */
public final class Stamps {
    private static final byte[] LATEST = "stamp".getBytes(StandardCharsets.UTF_8);
    private static final byte[] RUNS = "stamp/".getBytes(StandardCharsets.UTF_8);

    private Stamps() {}

    /**
     * The id of the next group.
     *
     * @throws EcfsException {@code NO_SPACE} when the epoch has no number left: the next one would be of another epoch
     */
    static GroupId next(Transaction transaction) throws EcfsException {
        long last = Counter.LAST_GROUP.of(transaction);
        if (last > 0 && new GroupId(last).number() == GroupId.MAX_NUMBER) {
            throw new EcfsException(
                    ErrorCode.NO_SPACE,
                    "all group numbers of epoch " + new GroupId(last).epoch()
                            + " are given out: back the namenodes up and restore them, which begins the next epoch");
        }
        return new GroupId(Counter.LAST_GROUP.next(transaction));
    }

    /**
     * Notes the stamp of the group that is being allocated; those behind it have it too until another one is noted.
     */
    static void note(Transaction transaction, GroupId group, int stamp) {
        byte[] latest = transaction.get(Table.META, LATEST);
        if ((latest == null ? Stamp.NONE : new RowReader(latest).i32()) != stamp) {
            byte[] row = new RowWriter().i32(stamp).bytes();
            transaction.put(Table.META, LATEST, row);
            transaction.put(Table.META, key(group.value()), row);
        }
    }

    /**
     * Begins the next epoch: no number behind the last one of the present epoch is ever allocated, whatever has such a
     * number now.
     */
    public static int beginEpoch(Transaction transaction) {
        long last = Counter.LAST_GROUP.of(transaction);
        int epoch = last == 0 ? 1 : new GroupId(last).epoch() + 1;
        transaction.put(Table.META, key(last + 1), new byte[0]);
        transaction.delete(Table.META, LATEST);
        Counter.LAST_GROUP.add(transaction, GroupId.of(epoch, 0).value() - last);
        return epoch;
    }

    /** The stamp with which the group was allocated; empty when this state never allocated it. */
    public static OptionalInt of(View view, GroupId group) {
        if (group.value() > Counter.LAST_GROUP.of(view) || group.number() == 0) {
            return OptionalInt.empty();
        }
        OptionalInt[] found = {OptionalInt.of(Stamp.NONE)};
        view.scan(Table.META, key(group.value()), Keys.afterPrefix(RUNS), (key, row) -> {
            found[0] = row.length == 0 ? OptionalInt.empty() : OptionalInt.of(new RowReader(row).i32());
            return false;
        });
        return found[0];
    }

    /** The last number that this state allocated in an epoch, the present one or one before it; 0: none. */
    public static long lastNumber(View view, int epoch) {
        long last = Counter.LAST_GROUP.of(view);
        if (last == 0 || new GroupId(last).epoch() == epoch) {
            return last == 0 ? 0 : new GroupId(last).number();
        }
        long[] found = {0};
        view.scan(
                Table.META, key(GroupId.of(epoch, GroupId.MAX_NUMBER).value()), Keys.afterPrefix(RUNS), (key, row) -> {
                    RowReader reader = new RowReader(Arrays.copyOfRange(key, RUNS.length, key.length));
                    long before = Long.MAX_VALUE - reader.i64() - 1; // the epoch ended before this run
                    found[0] = before == 0 ? 0 : new GroupId(before).number();
                    return false;
                });
        return found[0];
    }

    /** Descending, so that the run of a number is the first behind it. */
    private static byte[] key(long group) {
        return new RowWriter().raw(RUNS).i64(Long.MAX_VALUE - group).bytes();
    }
}

package io.ecfs.namenode.state;

import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.ChangeVisitor;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * A hash over every row of every table but for the applied position and the values of remembered answers: the sum of
 * one hash a row, so that a change of rows changes it by what these rows contribute, and no other row is read. The same
 * facts have the same hash, however their commands were cut into entries. Not cryptographic: it finds bugs and damage.
 */
final class StateHash {
    private static final long PRIME = 0x9E3779B97F4A7C15L;
    private static final byte[] NO_VALUE = {};
    private static final Map<Table, Long> SEEDS = new EnumMap<>(Table.class);

    static {
        for (Table table : Table.values()) {
            SEEDS.put(table, mix(PRIME, table.name().getBytes(StandardCharsets.UTF_8)));
        }
    }

    private long sum;

    private StateHash() {}

    /** Of all rows, one by one. */
    static long of(View view) {
        StateHash hash = new StateHash();
        for (Table table : Table.values()) {
            view.scan(table, Keys.FIRST, null, (key, value) -> {
                hash.sum += row(table, key, value);
                return true;
            });
        }
        return hash.sum;
    }

    /** The difference in the hash that a transaction makes. */
    static long change(Transaction transaction) {
        return change(transaction, (table, key, before, after) -> {});
    }

    /** The same; each change is shown to {@code also}, too: what was there before is read from the store. */
    static long change(Transaction transaction, ChangeVisitor also) {
        StateHash hash = new StateHash();
        transaction.changes((table, key, before, after) -> {
            also.change(table, key, before, after);
            if (!Arrays.equals(before, after)) {
                hash.sum += after == null ? 0 : row(table, key, after);
                hash.sum -= before == null ? 0 : row(table, key, before);
            }
        });
        return hash.sum;
    }

    private static long row(Table table, byte[] key, byte[] value) {
        if (table == Table.META && Arrays.equals(key, AppliedPosition.KEY)) {
            return 0;
        }
        // A remembered answer holds the text of a refusal, which a release may reword: that there is one counts.
        boolean answer = table == Table.RETRIES && RetryCache.isAnswer(key);
        long hash = mix(mix(SEEDS.get(table), key), answer ? NO_VALUE : value);
        // The last multiplication of a sum of products would be linear without it.
        hash ^= hash >>> 29;
        hash *= PRIME;
        return hash ^ (hash >>> 32);
    }

    private static long mix(long before, byte[] bytes) {
        long hash = mix(before, bytes.length);
        int words = bytes.length / Long.BYTES;
        for (int i = 0; i < words; i++) {
            hash = mix(hash, (long) Words.BIG_ENDIAN.get(bytes, i * Long.BYTES));
        }
        long rest = 0;
        for (int i = words * Long.BYTES; i < bytes.length; i++) {
            rest = (rest << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        return mix(hash, rest);
    }

    private static long mix(long before, long word) {
        long hash = Long.rotateLeft((before ^ word) * PRIME, 29);
        return hash ^ (hash >>> 32);
    }

    /** Eight bytes of an array at once. */
    private static final class Words {
        static final VarHandle BIG_ENDIAN = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    }
}

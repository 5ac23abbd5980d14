package io.ecfs.namenode.state;

import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A hash over every row of every table, in key order, but for the applied position: the same facts have the same hash however their
 * commands were cut into entries. Not cryptographic: it finds bugs and damage.
 */
final class StateHash {
    private static final long PRIME = 0x9E3779B97F4A7C15L;
    private long hash = PRIME;

    private StateHash() {}

    static long of(View view) {
        StateHash hash = new StateHash();
        for (Table table : Table.values()) {
            hash.mix(table.name().getBytes(StandardCharsets.UTF_8));
            view.scan(table, Keys.FIRST, null, (key, value) -> {
                if (table != Table.META || !Arrays.equals(key, AppliedPosition.KEY)) {
                    hash.mix(key);
                    hash.mix(value);
                }
                return true;
            });
        }
        return hash.hash;
    }

    private void mix(byte[] bytes) {
        mix(bytes.length);
        for (int i = 0; i < bytes.length; i += Long.BYTES) {
            long word = 0;
            for (int j = i; j < Math.min(i + Long.BYTES, bytes.length); j++) {
                word = (word << Byte.SIZE) | (bytes[j] & 0xFF);
            }
            mix(word);
        }
    }

    private void mix(long word) {
        hash = Long.rotateLeft((hash ^ word) * PRIME, 29);
        hash ^= hash >>> 32;
    }
}

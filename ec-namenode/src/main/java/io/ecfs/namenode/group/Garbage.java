package io.ecfs.namenode.group;

import io.ecfs.message.VolumeId;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.List;
import java.util.Optional;

/** Chunks that datanodes may delete, by volume. A chunk leaves the table when its datanode says that it is gone. */
public final class Garbage {
    private static final byte[] NOTHING = new byte[0];

    private Garbage() {}

    public static void add(Transaction transaction, StoredChunk chunk) {
        transaction.put(Table.GARBAGE, Keys.chunk(chunk.volume(), chunk.chunk()), NOTHING);
    }

    public static void forget(Transaction transaction, StoredChunk chunk) {
        transaction.delete(Table.GARBAGE, Keys.chunk(chunk.volume(), chunk.chunk()));
    }

    public static boolean contains(View view, StoredChunk chunk) {
        return view.get(Table.GARBAGE, Keys.chunk(chunk.volume(), chunk.chunk())) != null;
    }

    /** The garbage of a volume in chunk order, from that after {@code after} on. */
    public static List<StoredChunk> onVolume(View view, VolumeId volume, Optional<StoredChunk> after, int limit) {
        return Groups.chunkPage(view, Table.GARBAGE, volume, after, limit);
    }
}

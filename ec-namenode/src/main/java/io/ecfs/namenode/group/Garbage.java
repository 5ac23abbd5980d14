package io.ecfs.namenode.group;

import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Chunks that datanodes may delete, by volume, with the stamp of their group: of two chunks of one name only the one
 * with this stamp is garbage. A chunk leaves the table when its datanode reports it as deleted.
 */
public final class Garbage {
    private Garbage() {}

    static void add(Transaction transaction, ChunkOnVolume chunk, int stamp) {
        byte[] row =
                stamp == Stamp.NONE ? new byte[0] : new RowWriter().i32(stamp).bytes();
        transaction.put(Table.GARBAGE, Keys.chunk(chunk.volume(), chunk.chunk()), row);
    }

    public static void forget(Transaction transaction, ChunkOnVolume chunk) {
        transaction.delete(Table.GARBAGE, Keys.chunk(chunk.volume(), chunk.chunk()));
    }

    public static boolean contains(View view, ChunkOnVolume chunk) {
        return view.get(Table.GARBAGE, Keys.chunk(chunk.volume(), chunk.chunk())) != null;
    }

    /** The garbage of a volume in chunk order, at most {@code limit}, each with the stamp of its group. */
    public static SortedMap<ChunkOnVolume, Integer> stamped(View view, VolumeId volume, int limit) {
        TreeMap<ChunkOnVolume, Integer> page = new TreeMap<>();
        byte[] prefix = Keys.volume(volume);
        view.scan(Table.GARBAGE, prefix, Keys.afterPrefix(prefix), (key, row) -> {
            int stamp = row.length == 0 ? Stamp.NONE : new RowReader(row).i32();
            page.put(new ChunkOnVolume(volume, Keys.chunkOf(key)), stamp);
            return page.size() < limit;
        });
        return page;
    }

    /** The garbage of a volume in chunk order, from that after {@code after} on. */
    public static List<ChunkOnVolume> onVolume(View view, VolumeId volume, Optional<ChunkOnVolume> after, int limit) {
        return ChunkTables.page(view, Table.GARBAGE, volume, after, limit);
    }
}

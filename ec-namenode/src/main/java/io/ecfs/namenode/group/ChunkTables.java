package io.ecfs.namenode.group;

import io.ecfs.message.VolumeId;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tables whose keys are chunks on volumes. */
final class ChunkTables {
    private ChunkTables() {}

    /** The chunks of a volume, in chunk order, from those after {@code after} on. */
    static List<ChunkOnVolume> page(View view, Table table, VolumeId volume, Optional<ChunkOnVolume> after, int limit) {
        byte[] prefix = Keys.volume(volume);
        byte[] from =
                after.map(a -> Keys.after(Keys.chunk(a.volume(), a.chunk()))).orElse(prefix);
        List<ChunkOnVolume> page = new ArrayList<>();
        view.scan(table, from, Keys.afterPrefix(prefix), (key, value) -> {
            page.add(new ChunkOnVolume(volume, Keys.chunkOf(key)));
            return page.size() < limit;
        });
        return page;
    }
}

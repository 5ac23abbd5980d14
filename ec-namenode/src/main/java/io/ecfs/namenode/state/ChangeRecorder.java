package io.ecfs.namenode.state;

import io.ecfs.layout.GroupId;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.WatchedTransaction;
import java.util.TreeSet;

/** A transaction that remembers which groups it writes and which chunks it takes out of the index by volume. */
final class ChangeRecorder extends WatchedTransaction {
    private final TreeSet<GroupId> groups = new TreeSet<>();
    private final TreeSet<ChunkOnVolume> unplaced = new TreeSet<>();

    ChangeRecorder(Transaction transaction) {
        super(transaction);
    }

    GroupChanges changes() {
        return new GroupChanges(groups, unplaced);
    }

    @Override
    protected void changing(Table table, byte[] key, boolean deleted) {
        if (table == Table.GROUPS) {
            groups.add(Groups.namedBy(key));
        } else if (deleted && table == Table.CHUNKS_BY_VOLUME) {
            unplaced.add(Groups.placedBy(key));
        }
    }
}

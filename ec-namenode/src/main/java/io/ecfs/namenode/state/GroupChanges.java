package io.ecfs.namenode.state;

import io.ecfs.layout.GroupId;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.store.KeyValueStore.ChangeVisitor;
import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Changes of groups and of the places of their chunks by one log entry: names only, the rest is read from the facts.
 * @param groups written or deleted
 * @param unplaced chunks that the entry took out of the index by volume
 */
public record GroupChanges(SortedSet<GroupId> groups, SortedSet<ChunkOnVolume> unplaced) {
    public GroupChanges {
        groups = Collections.unmodifiableSortedSet(groups);
        unplaced = Collections.unmodifiableSortedSet(unplaced);
    }

    /** Collects the changes of a transaction. */
    static final class Collector implements ChangeVisitor {
        private final TreeSet<GroupId> groups = new TreeSet<>();
        private final TreeSet<ChunkOnVolume> unplaced = new TreeSet<>();

        @Override
        public void change(Table table, byte[] key, byte[] before, byte[] after) {
            if (table == Table.GROUPS) {
                groups.add(Groups.namedBy(key));
            } else if (table == Table.CHUNKS_BY_VOLUME && after == null) {
                unplaced.add(Groups.placedBy(key));
            }
        }

        GroupChanges changes() {
            return new GroupChanges(groups, unplaced);
        }
    }

    public boolean isEmpty() {
        return groups.isEmpty() && unplaced.isEmpty();
    }

    /**
     * Receives the changes on the thread that applies, in the order of the entries, each after its commit. Must be
     * quick.
     */
    public interface Listener {
        void changed(GroupChanges changes);

        /** Reports that a checkpoint replaced all facts: anything may have changed. */
        void replaced();
    }

    /** Stands in before the state has a listener. */
    static final class NoListener implements Listener {
        @Override
        public void changed(GroupChanges changes) {}

        @Override
        public void replaced() {}
    }
}

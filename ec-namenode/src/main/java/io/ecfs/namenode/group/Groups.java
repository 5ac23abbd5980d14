package io.ecfs.namenode.group;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The table of groups, and with it the index of chunks by volume and the counts of rings' groups: they change together
 * here and nowhere else.
 */
public final class Groups {
    private static final int VERSION = 3;
    /** Without a stamp; 2 had one, but was in no release. */
    private static final int OLDEST = 1;

    private static final byte[] NOTHING = new byte[0];

    private Groups() {}

    public static Optional<GroupFacts> find(View view, GroupId group) {
        byte[] row = view.get(Table.GROUPS, Keys.number(group.value()));
        return row == null ? Optional.empty() : Optional.of(decode(group, row));
    }

    /** Writes the group and brings the index in line with it. */
    public static void put(Transaction transaction, GroupFacts facts) {
        Optional<GroupFacts> present = find(transaction, facts.group());
        RingGroups.count(transaction, present, Optional.of(facts));
        Set<ChunkOnVolume> before =
                new LinkedHashSet<>(present.map(GroupFacts::stored).orElse(List.of()));
        transaction.put(Table.GROUPS, Keys.number(facts.group().value()), encode(facts));
        for (ChunkOnVolume chunk : facts.stored()) {
            if (!before.remove(chunk)) {
                transaction.put(Table.CHUNKS_BY_VOLUME, Keys.chunk(chunk.volume(), chunk.chunk()), NOTHING);
            }
        }
        before.forEach(chunk -> transaction.delete(Table.CHUNKS_BY_VOLUME, Keys.chunk(chunk.volume(), chunk.chunk())));
    }

    /** As {@link #put} for a group that is not there yet. */
    static void add(Transaction transaction, GroupFacts facts) {
        RingGroups.count(transaction, Optional.empty(), Optional.of(facts));
        transaction.put(Table.GROUPS, Keys.number(facts.group().value()), encode(facts));
        for (ChunkOnVolume chunk : facts.stored()) {
            transaction.put(Table.CHUNKS_BY_VOLUME, Keys.chunk(chunk.volume(), chunk.chunk()), NOTHING);
        }
    }

    /** Drops a group; its placed chunks become garbage. Returns how many. */
    public static int drop(Transaction transaction, GroupFacts facts) {
        forget(transaction, facts);
        List<ChunkOnVolume> stored = facts.stored();
        stored.forEach(chunk -> Garbage.add(transaction, chunk, facts.stamp()));
        return stored.size();
    }

    /** Drops a group of which no chunk was ever made. */
    static void forget(Transaction transaction, GroupFacts facts) {
        if (facts.ring().isPresent()) {
            RingGroups.count(transaction, find(transaction, facts.group()), Optional.empty());
        }
        unplace(transaction, facts);
        transaction.delete(Table.GROUPS, Keys.number(facts.group().value()));
        if (!facts.open()) { // only sealed groups are repaired
            Repairs.forget(transaction, facts.group());
        }
    }

    /** Visits the groups from {@code first} on, in order, until the visitor returns false. */
    public static void scan(View view, GroupId first, Predicate<GroupFacts> visitor) {
        view.scan(
                Table.GROUPS, Keys.number(first.value()), null, (key, row) -> visitor.test(decode(namedBy(key), row)));
    }

    /** The group that a key of the table of groups names. */
    public static GroupId namedBy(byte[] key) {
        return new GroupId(new RowReader(key).i64());
    }

    /** The chunk that a key of the index by volume names, and where it lies. */
    public static ChunkOnVolume placedBy(byte[] key) {
        return new ChunkOnVolume(Keys.volumeOf(key), Keys.chunkOf(key));
    }

    /** The chunks that the facts place on a volume, in chunk order, from those after {@code after} on. */
    public static List<ChunkOnVolume> onVolume(View view, VolumeId volume, Optional<ChunkOnVolume> after, int limit) {
        return ChunkTables.page(view, Table.CHUNKS_BY_VOLUME, volume, after, limit);
    }

    private static void unplace(Transaction transaction, GroupFacts facts) {
        for (ChunkOnVolume chunk : facts.stored()) {
            transaction.delete(Table.CHUNKS_BY_VOLUME, Keys.chunk(chunk.volume(), chunk.chunk()));
        }
    }

    private static byte[] encode(GroupFacts facts) {
        RowWriter row = new RowWriter().u8(VERSION);
        GroupForm.write(row, facts);
        return row.bytes();
    }

    private static GroupFacts decode(GroupId group, byte[] bytes) {
        RowReader row = new RowReader(bytes);
        int version = row.version(OLDEST, VERSION, "group");
        GroupFacts facts = version == VERSION ? GroupForm.read(row, group) : earlier(version, group, row);
        row.end();
        return facts;
    }

    /** Of a group that a file has to itself: there were no others. */
    private static GroupFacts earlier(int version, GroupId group, RowReader row) {
        int stamp = version == OLDEST ? Stamp.NONE : row.i32();
        InodeId file = new InodeId(row.number());
        Policy policy = Policy.parse(row.text());
        long length = row.number() + GroupFacts.OPEN_LENGTH;
        return new GroupFacts(group, file, policy, length, GroupForm.places(row, policy), stamp);
    }
}

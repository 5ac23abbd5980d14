package io.ecfs.namenode.group;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Attempts to reconstruct chunks on other volumes. Every attempt has a generation of its own, above all that its index
 * ever had, and only the latest attempt can be published: what an earlier one, or the order of a deposed leader,
 * produces later is garbage (HDDS-7462, HDDS-9657: a cancelled repair that came back as a replica). The generations
 * stay here until one is published or the group is dropped.
 */
public final class Repairs {
    private static final int VERSION = 1;

    private Repairs() {}

    /**
     * The latest attempt at one index of a group.
     * @param chunk to be rebuilt, of the attempt's own generation
     * @param target where it is rebuilt; empty: the attempt was abandoned, and its generation is never published
     * @param writer that the chunk on the target must carry: the fence of this attempt
     */
    public record Attempt(ChunkId chunk, Optional<VolumeId> target, long writer) {
        public Attempt {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(target, "target");
        }

        /** Returns whether this is the chunk that the attempt produces. */
        public boolean produces(ChunkOnVolume stored) {
            return chunk.equals(stored.chunk()) && target.equals(Optional.of(stored.volume()));
        }
    }

    public static Optional<Attempt> find(View view, GroupId group, int index) {
        byte[] row = view.get(Table.REPAIRS, key(group, index));
        return row == null ? Optional.empty() : Optional.of(decode(group, index, row));
    }

    /**
     * Begins an attempt at an index of a sealed group; the one before it, if any, can no longer be published.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when the group is gone or open, or the target's datanode holds
     *     another chunk of it,
     *     or its ring does not have the target
     */
    public static Attempt begin(Transaction transaction, GroupId id, int index, VolumeId target, long writer)
            throws EcfsException {
        GroupFacts group = sealed(transaction, id);
        if (index < 0 || index >= group.places().size()) {
            throw refused("group " + id + " under " + group.policy() + " has no chunk " + index + " to repair");
        }
        int used = Math.max(
                group.places().get(index).generation(),
                find(transaction, id, index).map(a -> a.chunk().generation()).orElse(0));
        Attempt attempt = new Attempt(new ChunkId(id, index, Math.addExact(used, 1)), Optional.of(target), writer);
        checkDatanodeFree(transaction, group, new ChunkOnVolume(target, attempt.chunk()));
        RingGroups.checkTarget(transaction, group, target);
        transaction.put(Table.REPAIRS, key(id, index), encode(attempt));
        return attempt;
    }

    /**
     * Publishes what the latest attempt rebuilt. The chunk that it replaces becomes garbage when the proof shows that
     * the group survives one more loss without it; otherwise it is retained until that is proven.
     * @param replaced where the facts place the index at present
     * @param proof current chunks of other indexes that the leader knows to be live
     * @throws EcfsException {@code INVALID_ARGUMENT} for anything but the latest attempt at a place that has not
     *     changed
     */
    public static void commit(
            Transaction transaction,
            ChunkOnVolume rebuilt,
            long groupLength,
            Optional<VolumeId> replaced,
            List<ChunkId> proof)
            throws EcfsException {
        ChunkId chunk = rebuilt.chunk();
        GroupFacts group = sealed(transaction, chunk.group());
        if (group.length() != groupLength) {
            throw refused("rebuilt chunk " + rebuilt + " of a group of " + groupLength + " bytes is not published: the"
                    + " group has " + group.length());
        }
        Optional<Attempt> attempt = find(transaction, chunk.group(), chunk.index());
        if (attempt.filter(a -> a.produces(rebuilt)).isEmpty()) {
            throw refused("rebuilt chunk " + rebuilt + " is not published: the latest attempt is "
                    + attempt.map(Attempt::toString).orElse("over"));
        }
        Place place = group.places().get(chunk.index());
        if (!place.volume().equals(replaced)) {
            throw refused("rebuilt chunk " + rebuilt + " is not published: it is to stand in for the one on " + replaced
                    + ", and the facts place that on " + place.volume());
        }
        if (Garbage.contains(transaction, rebuilt)) {
            throw refused("rebuilt chunk " + rebuilt + " is not published: it is garbage");
        }
        checkDatanodeFree(transaction, group, rebuilt);
        RingGroups.checkTarget(transaction, group, rebuilt.volume());
        Optional<ChunkOnVolume> old = replaced.map(volume -> new ChunkOnVolume(volume, group.chunk(chunk.index())));
        List<Place> places = new ArrayList<>(group.places());
        places.set(chunk.index(), new Place(Optional.of(rebuilt.volume()), chunk.generation()));
        GroupFacts repaired = RingGroups.released(transaction, group.with(places));
        Groups.put(transaction, repaired);
        transaction.delete(Table.REPAIRS, key(chunk.group(), chunk.index()));
        if (old.isPresent() && survivesALoss(repaired, chunk, proof)) {
            Garbage.add(transaction, old.get(), group.stamp());
        }
    }

    /** Abandons the latest attempt at this chunk, which is garbage now. */
    static void abandon(Transaction transaction, ChunkOnVolume garbage) {
        ChunkId chunk = garbage.chunk();
        find(transaction, chunk.group(), chunk.index())
                .filter(attempt -> attempt.produces(garbage))
                .ifPresent(attempt -> transaction.put(
                        Table.REPAIRS,
                        key(chunk.group(), chunk.index()),
                        encode(new Attempt(chunk, Optional.empty(), attempt.writer()))));
    }

    /** Forgets every attempt at a group that is dropped. */
    static void forget(Transaction transaction, GroupId group) {
        byte[] prefix = Keys.number(group.value());
        List<byte[]> keys = new ArrayList<>();
        transaction.scan(Table.REPAIRS, prefix, Keys.afterPrefix(prefix), (key, row) -> keys.add(key.clone()));
        keys.forEach(key -> transaction.delete(Table.REPAIRS, key));
    }

    private static boolean survivesALoss(GroupFacts group, ChunkId rebuilt, List<ChunkId> proof) {
        ChunkSet live = ChunkSet.of(proof.stream()
                        .filter(chunk -> group.volumeOf(chunk).isPresent())
                        .map(ChunkId::index)
                        .toList())
                .with(rebuilt.index());
        return group.policy().code().redundant(live);
    }

    private static GroupFacts sealed(View view, GroupId group) throws EcfsException {
        GroupFacts facts =
                Groups.find(view, group).orElseThrow(() -> refused("group " + group + " is gone: nothing to repair"));
        if (facts.open()) {
            throw refused("group " + group + " is being written and is not repaired before it is sealed");
        }
        return facts;
    }

    private static byte[] key(GroupId group, int index) {
        return new RowWriter().i64(group.value()).u8(index).bytes();
    }

    private static byte[] encode(Attempt attempt) {
        return new RowWriter()
                .u8(VERSION)
                .number(attempt.chunk().generation())
                .number(attempt.target().map(VolumeId::value).orElse(0))
                .i64(attempt.writer())
                .bytes();
    }

    private static Attempt decode(GroupId group, int index, byte[] bytes) {
        RowReader row = new RowReader(bytes);
        row.version(VERSION, "repair");
        ChunkId chunk = new ChunkId(group, index, row.smallNumber());
        int volume = row.smallNumber();
        Attempt attempt =
                new Attempt(chunk, volume == 0 ? Optional.empty() : Optional.of(new VolumeId(volume)), row.i64());
        row.end();
        return attempt;
    }

    /** A chunk at the same index is ignored, because this one replaces it. */
    static void checkDatanodeFree(Transaction transaction, GroupFacts group, ChunkOnVolume found) throws EcfsException {
        Optional<DatanodeId> owner = Datanodes.ownerOf(transaction, found.volume());
        if (owner.isEmpty()) {
            throw refused("chunk " + found + " cannot be taken: its volume never registered");
        }
        for (ChunkOnVolume other : group.stored()) {
            boolean sameIndex = other.chunk().index() == found.chunk().index();
            if (!sameIndex && Datanodes.ownerOf(transaction, other.volume()).equals(owner)) {
                throw refused("chunk " + found + " cannot be taken: datanode " + owner.get() + " holds " + other.chunk()
                        + " of the same group");
            }
        }
    }

    private static EcfsException refused(String message) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, message);
    }
}

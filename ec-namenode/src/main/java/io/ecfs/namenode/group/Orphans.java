package io.ecfs.namenode.group;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Chunks that volumes report and the facts do not place there: they become garbage or take their place again. Every
 * doubt retains the data (SeaweedFS #9930 and its kin deleted on thin evidence).
 */
public final class Orphans {
    private Orphans() {}

    /**
     * Marks a chunk as garbage. It can then never take the place that its group lacks, however late it is reported: the
     * next chunk there has another generation. The garbage table alone does not prevent it, since it drops the chunk
     * when it is deleted, and reports from before the deletion may still be under way to another namenode.
     * @param stamp in the chunk's header
     * @throws EcfsException {@code INVALID_ARGUMENT} when the chunk may still be needed
     */
    public static void markGarbage(Transaction transaction, ChunkOnVolume orphan, int stamp, List<ChunkId> proof)
            throws EcfsException {
        ChunkId chunk = orphan.chunk();
        OptionalInt allocated = Stamps.of(transaction, chunk.group());
        if (allocated.isEmpty()) {
            throw refused("chunk " + orphan + " is retained: its group was never allocated by this cluster");
        }
        if (allocated.getAsInt() != stamp) {
            throw refused("chunk " + orphan + " is retained: its stamp is that of another group that had its number");
        }
        Optional<GroupFacts> group = Groups.find(transaction, chunk.group());
        if (group.isPresent()) {
            checkNotNeeded(group.get(), orphan, proof);
            retire(transaction, group.get(), chunk);
        }
        Repairs.abandon(transaction, orphan);
        Garbage.add(transaction, orphan, stamp);
    }

    /**
     * Places a chunk that came back.
     * @param stamp in the chunk's header
     * @throws EcfsException {@code INVALID_ARGUMENT} when the chunk does not fit the group
     */
    public static void adopt(Transaction transaction, ChunkOnVolume found, int stamp, long groupLength)
            throws EcfsException {
        ChunkId chunk = found.chunk();
        GroupFacts group = Groups.find(transaction, chunk.group())
                .orElseThrow(() -> refused("chunk " + found + " cannot be adopted: its group is gone"));
        if (group.stamp() != stamp) {
            throw refused(
                    "chunk " + found + " cannot be adopted: its stamp is that of another group that had its number");
        }
        if (group.open() || group.length() != groupLength) {
            throw refused("chunk " + found + " of a group of " + groupLength
                    + " bytes cannot be adopted: the group has " + (group.open() ? "no length yet" : group.length()));
        }
        if (chunk.index() >= group.places().size()
                || !group.chunk(chunk.index()).equals(chunk)) {
            throw refused("chunk " + found + " cannot be adopted: the group has no such index and generation");
        }
        Optional<VolumeId> present = group.places().get(chunk.index()).volume();
        if (present.isPresent()) {
            throw refused("chunk " + found + " cannot be adopted: the facts place it on " + present.get());
        }
        if (Garbage.contains(transaction, found)) {
            throw refused("chunk " + found + " cannot be adopted: it is garbage and may be deleted at any moment");
        }
        Repairs.checkDatanodeFree(transaction, group, found);
        replace(transaction, group, chunk.index(), new Place(Optional.of(found.volume()), chunk.generation()));
    }

    private static void retire(Transaction transaction, GroupFacts group, ChunkId chunk) {
        if (chunk.index() < group.places().size()
                && group.places().get(chunk.index()).volume().isEmpty()
                && group.places().get(chunk.index()).generation() <= chunk.generation()) {
            replace(
                    transaction,
                    group,
                    chunk.index(),
                    new Place(Optional.empty(), Math.addExact(chunk.generation(), 1)));
        }
    }

    private static void replace(Transaction transaction, GroupFacts group, int index, Place place) {
        List<Place> places = new ArrayList<>(group.places());
        places.set(index, place);
        Groups.put(transaction, group.with(places));
    }

    private static void checkNotNeeded(GroupFacts group, ChunkOnVolume orphan, List<ChunkId> proof)
            throws EcfsException {
        if (group.open()) {
            throw refused("chunk " + orphan + " is retained: its group is being written");
        }
        if (group.volumeOf(orphan.chunk()).equals(Optional.of(orphan.volume()))) {
            throw refused("chunk " + orphan + " is retained: the facts place it exactly there");
        }
        ChunkSet live = ChunkSet.of(proof.stream()
                .filter(chunk -> group.volumeOf(chunk).isPresent())
                .map(ChunkId::index)
                .toList());
        if (!group.policy().code().redundant(live)) {
            throw refused("chunk " + orphan + " is retained: its group is proven to have the live chunks " + live
                    + ", which are too few to let another go");
        }
    }

    private static EcfsException refused(String message) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, message);
    }
}

package io.ecfs.namenode.group;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The end of an open group. Its length and bytes are fixed, and only the finished chunks count: the others are absent
 * until they come back and are adopted, or are reconstructed.
 */
public final class Sealing {
    private Sealing() {}

    /**
     * Seals on a writer's word: acknowledged bytes have parity, so they survive the loss of any one of the finished
     * chunks.
     *
     * @return the sealed group; empty when it was dropped: its length is 0, or no file refers to a byte of it. One that
     *     recovery found empty, and to which files refer, stays without chunks: they are lost, and are told so
     */
    public static Optional<GroupFacts> byWriter(Transaction transaction, GroupFacts open, SealedGroup word)
            throws EcfsException {
        return seal(transaction, open, word, open.policy().code().redundant(indexes(word)));
    }

    /** Seals at the length that recovery found: enough chunks to decode it have it; the others are reconstructed. */
    public static Optional<GroupFacts> byRecovery(Transaction transaction, GroupFacts open, SealedGroup found)
            throws EcfsException {
        return seal(transaction, open, found, open.policy().code().decodable(indexes(found)));
    }

    /**
     * Chunks that the writer of an open group goes on without are absent from now on, as if it was sealed without them.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when those that are left would not survive one more loss
     */
    public static void leaveOut(Transaction transaction, GroupFacts open, List<Integer> indexes) throws EcfsException {
        List<Place> places = new ArrayList<>();
        for (int index = 0; index < open.places().size(); index++) {
            Place place = open.places().get(index);
            places.add(indexes.contains(index) ? new Place(Optional.empty(), place.generation()) : place);
        }
        GroupFacts left = open.with(places);
        ChunkSet chunks = ChunkSet.of(
                left.stored().stream().map(stored -> stored.chunk().index()).toList());
        if (!open.policy().code().redundant(chunks)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "group " + open.group() + " under " + open.policy() + " cannot be written without chunks " + indexes
                            + ": " + chunks + " would not hold its bytes safely");
        }
        Groups.put(transaction, left);
    }

    private static ChunkSet indexes(SealedGroup word) {
        return ChunkSet.of(word.finished().stream().map(ChunkId::index).toList());
    }

    private static Optional<GroupFacts> seal(Transaction transaction, GroupFacts open, SealedGroup word, boolean enough)
            throws EcfsException {
        check(open, word);
        boolean lost = word.length() == 0 && PackedGroups.packed(open) && PackedGroups.live(open) > 0;
        if (word.length() == 0 && !lost) {
            drop(transaction, open);
            return Optional.empty();
        }
        if (!enough && !lost) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "group " + open.group() + " under " + open.policy() + " cannot be sealed with "
                            + word.finished().size() + " finished chunks " + indexes(word)
                            + ": they do not hold its bytes safely");
        }
        Set<ChunkId> finished = new HashSet<>(word.finished());
        List<Place> places = new ArrayList<>();
        for (int index = 0; index < open.places().size(); index++) {
            Place place = open.places().get(index);
            places.add(finished.contains(open.chunk(index)) ? place : new Place(Optional.empty(), place.generation()));
        }
        GroupFacts sealed = open.sealed(word.length(), places);
        Groups.put(transaction, sealed);
        Counter.OPEN_GROUPS.add(transaction, -1);
        Counter.SEALED_GROUPS.add(transaction, 1);
        Counter.SEALED_BYTES.add(transaction, word.length());
        return PackedGroups.packed(sealed) ? PackedGroups.sealed(transaction, sealed) : Optional.of(sealed);
    }

    /** Drops a group, open or sealed; its placed chunks become garbage. Returns how many they were. */
    public static int drop(Transaction transaction, GroupFacts facts) {
        if (facts.open()) {
            Counter.OPEN_GROUPS.add(transaction, -1);
        } else {
            Counter.SEALED_GROUPS.add(transaction, -1);
            Counter.SEALED_BYTES.add(transaction, -facts.length());
        }
        return Groups.drop(transaction, facts);
    }

    /** Drops an open group that its writer never used; there is nothing to delete. */
    public static void forgetUnused(Transaction transaction, GroupFacts open) {
        Counter.OPEN_GROUPS.add(transaction, -1);
        Groups.forget(transaction, open);
    }

    private static void check(GroupFacts open, SealedGroup word) throws EcfsException {
        if (!open.open() || !open.group().equals(word.group())) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "the open group is " + open.group() + ", sealed is said to be " + word.group());
        }
        if (word.length() > open.policy().groupBytes()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "group " + open.group() + " under " + open.policy() + " holds at most "
                            + open.policy().groupBytes() + " bytes, sealed are said to be " + word.length());
        }
        for (ChunkId chunk : word.finished()) {
            if (open.volumeOf(chunk).isEmpty()) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "chunk " + chunk + " was never allocated to group " + open.group() + " and cannot be finished");
            }
        }
    }
}

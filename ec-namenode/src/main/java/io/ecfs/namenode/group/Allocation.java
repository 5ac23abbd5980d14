package io.ecfs.namenode.group;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Makes new groups on the volumes that the leader chose. */
public final class Allocation {
    private Allocation() {}

    /** The fewest chunks with which a group may begin, the first ones: with them a writer may acknowledge. */
    public static int fewestChunks(Policy policy) {
        return IntStream.range(policy.dataChunks() + 1, policy.chunks())
                .filter(count -> policy.code().redundant(ChunkSet.range(0, count)))
                .findFirst()
                .orElse(policy.chunks());
    }

    /**
     * An open group, its chunks on the first n candidates. With fewer candidates, but enough for
     * acknowledged bytes to have parity, the last indices are absent and recovery's work: a cluster that lost a few
     * datanodes goes on writing. The group is in the ring of its volumes.
     *
     * @param stamp that the leader draws for the groups of its term
     * @throws EcfsException {@code NO_SPACE} when there are too few candidates, no number is left in the epoch, or the
     *     ring of the candidates has changed, or
     *     {@code INVALID_ARGUMENT} when one is unknown or two of the n lie on one datanode: no two chunks of a group
     *     share a volume or a datanode
     */
    public static GroupFacts allocate(
            Transaction transaction, GroupOwner owner, Policy policy, List<VolumeId> candidates, int stamp)
            throws EcfsException {
        if (candidates.size() < fewestChunks(policy)) {
            throw new EcfsException(
                    ErrorCode.NO_SPACE,
                    "a group under " + policy + " needs volumes with room on at least " + fewestChunks(policy)
                            + " datanodes, there are " + candidates.size());
        }
        List<VolumeId> chosen = candidates.subList(0, Math.min(policy.chunks(), candidates.size()));
        checkDistinct(transaction, chosen);
        Optional<RingId> ring = RingGroups.ringOf(transaction, policy, chosen);
        GroupId group = Stamps.next(transaction);
        Stamps.note(transaction, group, stamp);
        GroupFacts facts = new GroupFacts(
                group,
                owner,
                policy,
                GroupFacts.OPEN_LENGTH,
                IntStream.range(0, policy.chunks())
                        .mapToObj(i -> new Place(i < chosen.size() ? Optional.of(chosen.get(i)) : Optional.empty(), 0))
                        .toList(),
                stamp,
                ring,
                owner instanceof GroupOwner.Pack ? Optional.of(0L) : Optional.empty());
        Groups.add(transaction, facts);
        Counter.OPEN_GROUPS.add(transaction, 1);
        return facts;
    }

    private static void checkDistinct(Transaction transaction, List<VolumeId> chosen) throws EcfsException {
        Set<DatanodeId> datanodes = new HashSet<>();
        for (VolumeId volume : chosen) {
            DatanodeId owner = Datanodes.ownerOf(transaction, volume)
                    .orElseThrow(() -> new EcfsException(
                            ErrorCode.INVALID_ARGUMENT,
                            "placement names volume " + volume + ", which never registered"));
            if (!datanodes.add(owner)) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "placement puts two chunks of a group on datanode " + owner + ": " + chosen);
            }
        }
    }
}

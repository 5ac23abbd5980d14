package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Groups in memory, in one open transaction, on datanodes of two volumes: datanode i has the volumes i and 20 + i. */
final class GroupRows implements AutoCloseable {
    static final InodeId FILE = new InodeId(300);
    static final int STAMP = 0x5742;

    private static final int DATANODES = 20;

    final MemoryStore store = new MemoryStore();
    final Transaction transaction = store.begin();

    GroupRows() {
        for (int copy = 1; copy <= 2; copy++) {
            for (int i = 1; i <= DATANODES; i++) {
                register(i, copy);
            }
        }
    }

    private void register(int i, int copy) {
        try {
            DatanodeId datanode = new DatanodeId("dn" + i);
            List<String> volumes = List.of("volume" + i + "/" + copy);
            Datanodes.register(transaction, datanode, "uuid" + i, new Address("host", i), "/rack", volumes);
        } catch (EcfsException e) {
            throw new AssertionError(e);
        }
    }

    /** The first volumes of the datanodes 1 to {@code count}. */
    static List<VolumeId> volumes(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(VolumeId::new).toList();
    }

    /** The second volume of a datanode. */
    static VolumeId secondOf(int datanode) {
        return new VolumeId(DATANODES + datanode);
    }

    GroupFacts open(Policy policy) throws EcfsException {
        return Allocation.allocate(transaction, new GroupOwner.File(FILE), policy, volumes(policy.chunks()), STAMP);
    }

    /** A sealed group, its chunk i on datanode i + 1. */
    GroupFacts sealed(Policy policy, long length) throws EcfsException {
        GroupFacts open = open(policy);
        return Sealing.byWriter(transaction, open, word(open, length, all(policy)))
                .orElseThrow();
    }

    static long all(Policy policy) {
        return (1L << policy.chunks()) - 1;
    }

    /** The chunks of the indexes whose bits are set. */
    static List<ChunkId> chunks(GroupFacts group, long indexes) {
        return IntStream.range(0, group.places().size())
                .filter(index -> (indexes >> index & 1) == 1)
                .mapToObj(group::chunk)
                .toList();
    }

    static SealedGroup word(GroupFacts group, long length, long indexes) {
        return new SealedGroup(group.group(), length, chunks(group, indexes));
    }

    GroupFacts find(GroupId group) {
        return Groups.find(transaction, group).orElseThrow();
    }

    /** What the index by volume has of all groups. */
    SortedSet<ChunkOnVolume> placed() {
        TreeSet<ChunkOnVolume> placed = new TreeSet<>();
        transaction.scan(Table.CHUNKS_BY_VOLUME, new byte[0], null, (key, value) -> placed.add(Groups.placedBy(key)));
        return placed;
    }

    SortedSet<ChunkOnVolume> garbage() {
        TreeSet<ChunkOnVolume> garbage = new TreeSet<>();
        transaction.scan(Table.GARBAGE, new byte[0], null, (key, value) -> garbage.add(Groups.placedBy(key)));
        return garbage;
    }

    /** Asserts that a call is refused with {@code INVALID_ARGUMENT} and such a message. */
    static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining(message);
    }

    @Override
    public void close() {
        transaction.close();
        store.close();
    }
}

package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.cluster.Counter;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SealingTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");

    private final GroupRows rows = new GroupRows();

    @AfterEach
    void close() {
        rows.close();
    }

    private boolean isSealed(GroupFacts open, long indexes, boolean byWriter) {
        try {
            SealedGroup word = GroupRows.word(open, 100, indexes);
            return (byWriter
                            ? Sealing.byWriter(rows.transaction, open, word)
                            : Sealing.byRecovery(rows.transaction, open, word))
                    .isPresent();
        } catch (EcfsException e) {
            return false;
        }
    }

    @Test
    void writersSealWithOneChunkMoreThanDataAndRecoveryWithAsMany() throws EcfsException {
        for (long indexes = 0; indexes <= GroupRows.all(POLICY); indexes++) {
            assertThat(isSealed(rows.open(POLICY), indexes, true)).isEqualTo(Long.bitCount(indexes) > 3);
            assertThat(isSealed(rows.open(POLICY), indexes, false)).isEqualTo(Long.bitCount(indexes) >= 3);
        }
    }

    @Test
    void onlyFinishedChunksArePlacedAfterSealing() throws EcfsException {
        for (long indexes = 0; indexes <= GroupRows.all(POLICY); indexes++) {
            GroupFacts open = rows.open(POLICY);
            if (!isSealed(open, indexes, false)) {
                assertThat(rows.find(open.group())).isEqualTo(open);
                continue;
            }
            GroupFacts sealed = rows.find(open.group());
            assertThat(sealed.length()).isEqualTo(100);
            assertThat(sealed.stored().stream().map(ChunkOnVolume::chunk))
                    .containsExactlyElementsOf(GroupRows.chunks(open, indexes));
            assertThat(sealed.places()).allMatch(place -> place.generation() == 0);
        }
        assertThat(rows.garbage()).isEmpty();
        TreeSet<ChunkOnVolume> placed = new TreeSet<>();
        Groups.scan(rows.transaction, new GroupId(1), group -> {
            placed.addAll(group.stored());
            return true;
        });
        assertThat(rows.placed()).isEqualTo(placed);
    }

    @Test
    void sealingMovesTheGroupFromOneCounterToTheOther() throws EcfsException {
        rows.sealed(POLICY, 100);
        rows.sealed(POLICY, 23);
        rows.open(POLICY);
        assertThat(Counter.OPEN_GROUPS.of(rows.transaction)).isEqualTo(1);
        assertThat(Counter.SEALED_GROUPS.of(rows.transaction)).isEqualTo(2);
        assertThat(Counter.SEALED_BYTES.of(rows.transaction)).isEqualTo(123);
    }

    @Test
    void aGroupOfNoBytesIsDropped() throws EcfsException {
        GroupFacts open = rows.open(POLICY);
        assertThat(Sealing.byWriter(rows.transaction, open, GroupRows.word(open, 0, 0)))
                .isEmpty();
        assertThat(Groups.find(rows.transaction, open.group())).isEmpty();
        assertThat(rows.garbage()).containsExactlyElementsOf(open.stored());
        assertThat(Counter.OPEN_GROUPS.of(rows.transaction)).isZero();
        assertThat(Counter.SEALED_GROUPS.of(rows.transaction)).isZero();
    }

    @Test
    void droppingMakesGarbageOfEveryPlacedChunk() throws EcfsException {
        GroupFacts sealed = rows.sealed(POLICY, 100);
        GroupFacts other = rows.sealed(POLICY, 50);
        assertThat(Sealing.drop(rows.transaction, sealed)).isEqualTo(5);
        assertThat(rows.garbage()).containsExactlyElementsOf(sealed.stored());
        assertThat(rows.placed()).containsExactlyElementsOf(other.stored());
        assertThat(Counter.SEALED_GROUPS.of(rows.transaction)).isEqualTo(1);
        assertThat(Counter.SEALED_BYTES.of(rows.transaction)).isEqualTo(50);
    }

    @Test
    void anUnusedGroupLeavesNoGarbage() throws EcfsException {
        Sealing.forgetUnused(rows.transaction, rows.open(POLICY));
        assertThat(rows.garbage()).isEmpty();
        assertThat(rows.placed()).isEmpty();
        assertThat(Counter.OPEN_GROUPS.of(rows.transaction)).isZero();
    }

    @Test
    void chunksAreLeftOutAsLongAsTheOthersSurviveALoss() throws EcfsException {
        for (int bits = 0; bits <= GroupRows.all(POLICY); bits++) {
            int out = bits;
            GroupFacts open = rows.open(POLICY);
            List<Integer> indexes = IntStream.range(0, 5)
                    .filter(i -> (out >> i & 1) == 1)
                    .boxed()
                    .toList();
            if (Integer.bitCount(out) > 1) {
                GroupRows.refused(
                        () -> Sealing.leaveOut(rows.transaction, open, indexes), "cannot be written without chunks");
                assertThat(rows.find(open.group())).isEqualTo(open);
            } else {
                Sealing.leaveOut(rows.transaction, open, indexes);
                assertThat(rows.find(open.group()).open()).isTrue();
                assertThat(rows.find(open.group()).stored().stream().map(ChunkOnVolume::chunk))
                        .containsExactlyElementsOf(GroupRows.chunks(open, ~out));
            }
        }
    }

    @Test
    void aWordThatDoesNotFitTheOpenGroupIsRefused() throws EcfsException {
        GroupFacts sealed = rows.sealed(POLICY, 100);
        GroupFacts open = rows.open(POLICY);
        long all = GroupRows.all(POLICY);
        GroupRows.refused(
                () -> Sealing.byWriter(rows.transaction, sealed, GroupRows.word(sealed, 100, all)),
                "the open group is");
        GroupRows.refused(
                () -> Sealing.byWriter(rows.transaction, open, GroupRows.word(sealed, 100, all)), "the open group is");
        long most = POLICY.groupBytes();
        GroupRows.refused(
                () -> Sealing.byWriter(rows.transaction, open, GroupRows.word(open, most + 1, all)),
                "holds at most " + most + " bytes");
        HashSet<ChunkId> later = new HashSet<>(GroupRows.chunks(open, all - 1));
        later.add(new ChunkId(open.group(), 0, 1));
        GroupRows.refused(
                () -> Sealing.byWriter(rows.transaction, open, new SealedGroup(open.group(), 100, List.copyOf(later))),
                "chunk g2.0~1 was never allocated to group g2");
        assertThat(Sealing.byWriter(rows.transaction, open, GroupRows.word(open, most, all)))
                .isPresent();
    }
}

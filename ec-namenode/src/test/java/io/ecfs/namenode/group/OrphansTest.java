package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.group.Repairs.Attempt;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrphansTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final long LENGTH = 100;
    private static final VolumeId ELSEWHERE = new VolumeId(9);

    private final GroupRows rows = new GroupRows();

    @AfterEach
    void close() {
        rows.close();
    }

    private void mark(ChunkOnVolume orphan, List<ChunkId> proof) throws EcfsException {
        Orphans.markGarbage(rows.transaction, orphan, GroupRows.STAMP, proof);
    }

    private void adopt(ChunkOnVolume found) throws EcfsException {
        Orphans.adopt(rows.transaction, found, GroupRows.STAMP, LENGTH);
    }

    /** A sealed group without its chunk 4, which lies on {@link #ELSEWHERE} and may come back. */
    private GroupFacts lacking() throws EcfsException {
        GroupFacts open = rows.open(POLICY);
        return Sealing.byWriter(rows.transaction, open, GroupRows.word(open, LENGTH, 0b01111))
                .orElseThrow();
    }

    @Test
    void anOrphanIsGarbageWhereTheProofSurvivesALoss() throws EcfsException {
        for (int proof = 0; proof <= GroupRows.all(POLICY); proof++) {
            GroupFacts group = rows.sealed(POLICY, LENGTH);
            ChunkOnVolume orphan = new ChunkOnVolume(ELSEWHERE, group.chunk(0));
            List<ChunkId> live = GroupRows.chunks(group, proof);
            if (Integer.bitCount(proof) > 3) {
                mark(orphan, live);
            } else {
                GroupRows.refused(() -> mark(orphan, live), "too few to let another go");
            }
            assertThat(Garbage.contains(rows.transaction, orphan)).isEqualTo(Integer.bitCount(proof) > 3);
            assertThat(rows.find(group.group())).isEqualTo(group);
        }
    }

    @Test
    void aPlacedChunkIsNeverGarbage() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        List<ChunkId> all = GroupRows.chunks(group, GroupRows.all(POLICY));
        for (ChunkOnVolume placed : group.stored()) {
            GroupRows.refused(() -> mark(placed, all), "the facts place it exactly there");
        }
    }

    @Test
    void chunksOfAnOpenGroupAreRetained() throws EcfsException {
        GroupFacts open = rows.open(POLICY);
        ChunkOnVolume orphan = new ChunkOnVolume(ELSEWHERE, open.chunk(0));
        GroupRows.refused(
                () -> mark(orphan, GroupRows.chunks(open, GroupRows.all(POLICY))), "its group is being written");
    }

    @Test
    void chunksOfAGroupOfAnotherClusterAreRetained() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        List<ChunkId> all = GroupRows.chunks(group, GroupRows.all(POLICY));
        ChunkOnVolume never = new ChunkOnVolume(ELSEWHERE, new ChunkId(new GroupId(99), 0, 0));
        GroupRows.refused(() -> mark(never, List.of()), "its group was never allocated by this cluster");
        ChunkOnVolume orphan = new ChunkOnVolume(ELSEWHERE, group.chunk(0));
        GroupRows.refused(
                () -> Orphans.markGarbage(rows.transaction, orphan, GroupRows.STAMP + 1, all),
                "its stamp is that of another group");
    }

    @Test
    void chunksOfADroppedGroupNeedNoProof() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        Sealing.drop(rows.transaction, group);
        ChunkOnVolume orphan = new ChunkOnVolume(ELSEWHERE, group.chunk(0));
        mark(orphan, List.of());
        assertThat(Garbage.contains(rows.transaction, orphan)).isTrue();
    }

    @Test
    void anAbsentChunkThatIsGarbageNeverComesBack() throws EcfsException {
        GroupFacts group = lacking();
        ChunkOnVolume orphan = new ChunkOnVolume(ELSEWHERE, group.chunk(4));
        mark(orphan, GroupRows.chunks(group, 0b01111));
        assertThat(rows.find(group.group()).places().get(4)).isEqualTo(new Place(Optional.empty(), 1));
        Garbage.forget(rows.transaction, orphan);
        GroupRows.refused(() -> adopt(orphan), "the group has no such index and generation");
    }

    @Test
    void garbageOfAnEarlierGenerationLeavesThePlace() throws EcfsException {
        GroupFacts group = lacking();
        List<ChunkId> proof = GroupRows.chunks(group, 0b01111);
        mark(new ChunkOnVolume(ELSEWHERE, new ChunkId(group.group(), 4, 6)), proof);
        assertThat(rows.find(group.group()).places().get(4).generation()).isEqualTo(7);
        mark(new ChunkOnVolume(ELSEWHERE, new ChunkId(group.group(), 4, 2)), proof);
        assertThat(rows.find(group.group()).places().get(4).generation()).isEqualTo(7);
    }

    @Test
    void garbageThatAnAttemptRebuiltEndsTheAttempt() throws EcfsException {
        GroupFacts group = lacking();
        Attempt attempt = Repairs.begin(rows.transaction, group.group(), 4, ELSEWHERE, 5);
        mark(new ChunkOnVolume(ELSEWHERE, attempt.chunk()), GroupRows.chunks(group, 0b01111));
        assertThat(Repairs.find(rows.transaction, group.group(), 4)
                        .orElseThrow()
                        .target())
                .isEmpty();
    }

    @Test
    void anAbsentChunkTakesItsPlaceAgain() throws EcfsException {
        GroupFacts group = lacking();
        ChunkOnVolume found = new ChunkOnVolume(ELSEWHERE, group.chunk(4));
        adopt(found);
        assertThat(rows.find(group.group()).stored(4)).contains(found);
        assertThat(rows.find(group.group()).stored()).startsWith(group.stored().toArray(ChunkOnVolume[]::new));
        assertThat(rows.placed()).contains(found);
    }

    @Test
    void aChunkThatDoesNotFitIsNotAdopted() throws EcfsException {
        GroupFacts group = lacking();
        ChunkId absent = group.chunk(4);
        ChunkOnVolume found = new ChunkOnVolume(ELSEWHERE, absent);
        GroupRows.refused(
                () -> adopt(new ChunkOnVolume(ELSEWHERE, new ChunkId(new GroupId(99), 4, 0))), "its group is gone");
        GroupRows.refused(
                () -> Orphans.adopt(rows.transaction, found, GroupRows.STAMP + 1, LENGTH),
                "its stamp is that of another group");
        GroupRows.refused(
                () -> Orphans.adopt(rows.transaction, found, GroupRows.STAMP, LENGTH - 1),
                "of a group of 99 bytes cannot be adopted: the group has 100");
        GroupRows.refused(
                () -> adopt(new ChunkOnVolume(ELSEWHERE, new ChunkId(group.group(), 4, 1))),
                "no such index and generation");
        GroupRows.refused(
                () -> adopt(new ChunkOnVolume(ELSEWHERE, new ChunkId(group.group(), 5, 0))),
                "no such index and generation");
        GroupRows.refused(() -> adopt(new ChunkOnVolume(ELSEWHERE, group.chunk(0))), "the facts place it on v1");
        GroupRows.refused(
                () -> adopt(new ChunkOnVolume(GroupRows.secondOf(2), absent)),
                "datanode dn2 holds g1.1 of the same group");
        Garbage.add(rows.transaction, found, GroupRows.STAMP);
        GroupRows.refused(() -> adopt(found), "it is garbage");
        assertThat(rows.find(group.group())).isEqualTo(group);
    }

    @Test
    void aChunkOfAnOpenGroupIsNotAdopted() throws EcfsException {
        GroupFacts open = rows.open(POLICY);
        GroupRows.refused(() -> adopt(new ChunkOnVolume(ELSEWHERE, open.chunk(0))), "the group has no length yet");
    }
}

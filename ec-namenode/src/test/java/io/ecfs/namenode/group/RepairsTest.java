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

class RepairsTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final VolumeId TARGET = new VolumeId(9);
    private static final Optional<VolumeId> AT_ZERO = Optional.of(new VolumeId(1));
    private static final long LENGTH = 100;
    private static final long WRITER = 77;

    private final GroupRows rows = new GroupRows();

    @AfterEach
    void close() {
        rows.close();
    }

    private Attempt begin(GroupFacts group, int index, VolumeId target) throws EcfsException {
        return Repairs.begin(rows.transaction, group.group(), index, target, WRITER);
    }

    private ChunkOnVolume rebuilt(Attempt attempt) {
        return new ChunkOnVolume(attempt.target().orElseThrow(), attempt.chunk());
    }

    private void commit(ChunkOnVolume rebuilt, Optional<VolumeId> replaced, List<ChunkId> proof) throws EcfsException {
        Repairs.commit(rows.transaction, rebuilt, LENGTH, replaced, proof);
    }

    @Test
    void everyAttemptHasAHigherGeneration() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        for (int generation = 1; generation <= 3; generation++) {
            Attempt attempt = begin(group, 0, TARGET);
            assertThat(attempt)
                    .isEqualTo(new Attempt(new ChunkId(group.group(), 0, generation), Optional.of(TARGET), WRITER));
            assertThat(Repairs.find(rows.transaction, group.group(), 0)).contains(attempt);
        }
        assertThat(begin(group, 1, TARGET).chunk().generation()).isEqualTo(1);
    }

    @Test
    void anAttemptAfterACommitContinuesTheGenerations() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        commit(rebuilt(begin(group, 0, TARGET)), AT_ZERO, List.of());
        assertThat(begin(group, 0, new VolumeId(10)).chunk().generation()).isEqualTo(2);
    }

    @Test
    void onlyTheLatestAttemptIsPublished() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        Attempt first = begin(group, 0, TARGET);
        Attempt second = begin(group, 0, new VolumeId(10));
        GroupRows.refused(() -> commit(rebuilt(first), AT_ZERO, List.of()), "is not published: the latest attempt is");
        ChunkOnVolume elsewhere = new ChunkOnVolume(TARGET, second.chunk());
        GroupRows.refused(() -> commit(elsewhere, AT_ZERO, List.of()), "is not published: the latest attempt is");
        commit(rebuilt(second), AT_ZERO, List.of());
        GroupRows.refused(() -> commit(rebuilt(second), AT_ZERO, List.of()), "the latest attempt is over");
        assertThat(rows.find(group.group()).places().get(0)).isEqualTo(new Place(Optional.of(new VolumeId(10)), 2));
    }

    @Test
    void anEarlierAttemptAtTheSameTargetIsNotPublished() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        Attempt first = begin(group, 0, TARGET);
        Attempt second = begin(group, 0, TARGET);
        GroupRows.refused(() -> commit(rebuilt(first), AT_ZERO, List.of()), "is not published: the latest attempt is");
        Repairs.abandon(rows.transaction, rebuilt(first));
        assertThat(Repairs.find(rows.transaction, group.group(), 0)).contains(second);
        commit(rebuilt(second), AT_ZERO, List.of());
    }

    @Test
    void aPublishedChunkTakesItsPlaceAlone() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        ChunkOnVolume rebuilt = rebuilt(begin(group, 3, TARGET));
        commit(rebuilt, Optional.of(new VolumeId(4)), List.of());
        GroupFacts after = rows.find(group.group());
        for (int index = 0; index < 5; index++) {
            assertThat(after.stored(index)).isEqualTo(index == 3 ? Optional.of(rebuilt) : group.stored(index));
        }
        assertThat(rows.placed()).containsExactlyInAnyOrderElementsOf(after.stored());
    }

    @Test
    void theReplacedChunkIsGarbageWhereTheProofSurvivesALoss() throws EcfsException {
        for (int proof = 0; proof <= GroupRows.all(POLICY); proof++) {
            GroupFacts group = rows.sealed(POLICY, LENGTH);
            ChunkOnVolume old = group.stored(0).orElseThrow();
            commit(rebuilt(begin(group, 0, TARGET)), AT_ZERO, GroupRows.chunks(group, proof));
            boolean enough = Integer.bitCount(proof & ~1) >= 3; // with the rebuilt chunk more than k
            assertThat(Garbage.contains(rows.transaction, old))
                    .as("proof %x", proof)
                    .isEqualTo(enough);
        }
    }

    @Test
    void chunksOfEarlierGenerationsProveNothing() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        ChunkOnVolume old = group.stored(0).orElseThrow();
        commit(rebuilt(begin(group, 1, new VolumeId(8))), Optional.of(new VolumeId(2)), List.of());
        commit(rebuilt(begin(group, 0, TARGET)), AT_ZERO, GroupRows.chunks(group, 0b1110));
        assertThat(Garbage.contains(rows.transaction, old)).isFalse();
    }

    @Test
    void theTargetsDatanodeMustHaveNoOtherChunkOfTheGroup() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        GroupRows.refused(() -> begin(group, 0, GroupRows.secondOf(2)), "datanode dn2 holds g1.1 of the same group");
        assertThat(begin(group, 0, GroupRows.secondOf(1)).chunk().index()).isZero();
        GroupRows.refused(() -> begin(group, 0, new VolumeId(999)), "its volume never registered");
    }

    @Test
    void onlySealedGroupsAndTheirIndexesAreRepaired() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        GroupFacts open = rows.open(POLICY);
        GroupRows.refused(() -> begin(group, -1, TARGET), "has no chunk -1 to repair");
        GroupRows.refused(() -> begin(group, 5, TARGET), "has no chunk 5 to repair");
        GroupRows.refused(() -> begin(open, 0, TARGET), "is being written");
        GroupRows.refused(() -> Repairs.begin(rows.transaction, new GroupId(99), 0, TARGET, 1), "group g99 is gone");
    }

    @Test
    void aChangedPlaceOrLengthIsNotPublished() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        ChunkOnVolume rebuilt = rebuilt(begin(group, 0, TARGET));
        GroupRows.refused(() -> commit(rebuilt, Optional.empty(), List.of()), "the facts place that on");
        GroupRows.refused(() -> commit(rebuilt, Optional.of(new VolumeId(2)), List.of()), "the facts place that on");
        GroupRows.refused(
                () -> Repairs.commit(rows.transaction, rebuilt, LENGTH + 1, AT_ZERO, List.of()),
                "of a group of 101 bytes is not published: the group has 100");
        commit(rebuilt, AT_ZERO, List.of());
    }

    @Test
    void anAttemptWhoseChunkIsGarbageIsGivenUp() throws EcfsException {
        GroupFacts group = rows.sealed(POLICY, LENGTH);
        Attempt attempt = begin(group, 0, TARGET);
        Repairs.abandon(rows.transaction, new ChunkOnVolume(new VolumeId(8), attempt.chunk()));
        assertThat(Repairs.find(rows.transaction, group.group(), 0)).contains(attempt);
        Repairs.abandon(rows.transaction, rebuilt(attempt));
        assertThat(Repairs.find(rows.transaction, group.group(), 0))
                .contains(new Attempt(attempt.chunk(), Optional.empty(), WRITER));
        GroupRows.refused(() -> commit(rebuilt(attempt), AT_ZERO, List.of()), "is not published");
        assertThat(begin(group, 0, TARGET).chunk().generation()).isEqualTo(2);
    }

    @Test
    void attemptsGoWithTheirGroup() throws EcfsException {
        GroupFacts first = rows.sealed(POLICY, LENGTH);
        GroupFacts second = rows.sealed(POLICY, LENGTH);
        for (int index = 0; index < 5; index++) {
            begin(first, index, TARGET);
            begin(second, index, TARGET);
        }
        Sealing.drop(rows.transaction, first);
        for (int index = 0; index < 5; index++) {
            assertThat(Repairs.find(rows.transaction, first.group(), index)).isEmpty();
            assertThat(Repairs.find(rows.transaction, second.group(), index)).isPresent();
        }
    }
}

package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts.Place;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocationTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");

    private final GroupRows rows = new GroupRows();

    @AfterEach
    void close() {
        rows.close();
    }

    private void refused(ErrorCode code, List<VolumeId> candidates, String message) {
        assertThatThrownBy(() -> Allocation.allocate(
                        rows.transaction, new GroupOwner.File(GroupRows.FILE), POLICY, candidates, 1))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
        assertThat(rows.placed()).isEmpty();
        assertThat(Counter.OPEN_GROUPS.of(rows.transaction)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "rs-2-1, 3",
        "rs-3-2, 4",
        "rs-6-3, 7",
        "rs-10-4, 11",
        "xor-2-1, 3",
        "replication-2, 2",
        "replication-3, 2",
        "lrc-4-2-2, 6"
    })
    void theFewestChunksSurviveTheLossOfAnyOne(String name, int fewest) {
        Policy policy = Policy.parse(name);
        assertThat(Allocation.fewestChunks(policy)).isEqualTo(fewest);
        assertThat(survives(policy, fewest)).isTrue();
        assertThat(IntStream.range(0, fewest).noneMatch(count -> survives(policy, count)))
                .isTrue();
    }

    /** Whether the first chunks decode all without any one of them. */
    private static boolean survives(Policy policy, int count) {
        return count > 0
                && IntStream.range(0, count)
                        .allMatch(lost ->
                                policy.code().decodable(ChunkSet.range(0, count).without(lost)));
    }

    @Test
    void aNewGroupLiesOnTheFirstCandidates() throws EcfsException {
        GroupFacts group = Allocation.allocate(
                rows.transaction, new GroupOwner.File(GroupRows.FILE), POLICY, GroupRows.volumes(9), GroupRows.STAMP);
        assertThat(group.open()).isTrue();
        assertThat(group.owner()).isEqualTo(new GroupOwner.File(GroupRows.FILE));
        assertThat(group.places().stream().map(Place::volume).map(Optional::get))
                .containsExactlyElementsOf(GroupRows.volumes(5));
        assertThat(group.places()).allMatch(place -> place.generation() == 0);
        assertThat(rows.find(group.group())).isEqualTo(group);
        assertThat(rows.placed()).containsExactlyElementsOf(group.stored());
        assertThat(Counter.OPEN_GROUPS.of(rows.transaction)).isEqualTo(1);
        assertThat(Stamps.of(rows.transaction, group.group())).isEqualTo(OptionalInt.of(GroupRows.STAMP));
    }

    @Test
    void groupsAreNumberedInTheirOrder() throws EcfsException {
        assertThat(rows.open(POLICY).group().value()).isEqualTo(1);
        assertThat(rows.open(POLICY).group().value()).isEqualTo(2);
    }

    @Test
    void theLastIndexesAreAbsentWhereCandidatesAreFew() throws EcfsException {
        GroupFacts group = Allocation.allocate(
                rows.transaction, new GroupOwner.File(GroupRows.FILE), POLICY, GroupRows.volumes(4), 1);
        assertThat(group.stored()).hasSize(4);
        assertThat(group.places().get(4)).isEqualTo(new Place(Optional.empty(), 0));
    }

    @Test
    void tooFewCandidatesAreRefused() {
        for (int count = 0; count < 4; count++) {
            refused(ErrorCode.NO_SPACE, GroupRows.volumes(count), "on at least 4 datanodes, there are " + count);
        }
    }

    @Test
    void twoChunksOnOneDatanodeAreRefused() {
        VolumeId first = new VolumeId(1);
        List<VolumeId> others = GroupRows.volumes(4).subList(1, 4);
        for (VolumeId second : List.of(first, GroupRows.secondOf(1))) {
            List<VolumeId> candidates = IntStream.range(0, 5)
                    .mapToObj(i -> i < 3 ? others.get(i) : i == 3 ? first : second)
                    .toList();
            refused(ErrorCode.INVALID_ARGUMENT, candidates, "two chunks of a group on datanode dn1");
        }
    }

    @Test
    void aVolumeThatNeverRegisteredIsRefused() {
        List<VolumeId> candidates =
                List.of(new VolumeId(1), new VolumeId(2), new VolumeId(3), new VolumeId(4), new VolumeId(999));
        refused(ErrorCode.INVALID_ARGUMENT, candidates, "volume v999, which never registered");
    }
}

package io.ecfs.client.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ecfs.client.location.Stretch;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.patch.Write;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is live of a file's groups, and what must stay of its extents and patches. */
class UpdatedLayoutTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final GroupId BASE = new GroupId(1);
    private static final GroupId OTHER = new GroupId(2);
    private static final Extent FIRST = new Extent(0, 1_000, BASE, 0);
    private static final Extent SECOND = new Extent(1_000, 500, OTHER, 70);
    /** In the group of the first one, behind a hole. */
    private static final Extent THIRD = new Extent(2_000, 300, BASE, 5_000);

    private final SimulatedPatches patches = new SimulatedPatches(POLICY, List.of(FIRST, SECOND, THIRD));

    private GroupId patch(Write... writes) {
        patches.write(List.of(writes));
        GroupId group = patches.group();
        patches.seal();
        return group;
    }

    @Test
    void aGroupHasWhatIsUnderNoNewerOne() {
        GroupId old = patch(new Write(900, 200));
        GroupId recent = patch(new Write(1_050, 100));
        assertThat(patches.layout.holders())
                .extracting(UpdatedLayout.Holder::patch, UpdatedLayout.Holder::live)
                .containsExactly(
                        tuple(Optional.of(old), 150L),
                        tuple(Optional.of(recent), 100L),
                        tuple(Optional.empty(), 1_200L),
                        tuple(Optional.empty(), 350L));
        assertThat(patches.layout.holders())
                .extracting(UpdatedLayout.Holder::stretches)
                .containsExactly(
                        List.of(new Stretch(900, 1_050)),
                        List.of(new Stretch(1_050, 1_150)),
                        List.of(new Stretch(0, 900), new Stretch(2_000, 2_300)),
                        List.of(new Stretch(1_150, 1_500)));
        UpdatedLayout.Holder base = patches.layout.holders().get(2);
        assertThat(base.length()).isEqualTo(1_300);
        assertThat(base.dead()).isEqualTo(100);
        assertThat(base.liveShare()).isEqualTo(1_200.0 / 1_300);
    }

    @Test
    void theSmallestPatchGroupsAreThoseOfTheFewestLiveBytes() {
        patch(new Write(0, 30));
        GroupId few = patch(new Write(100, 10));
        GroupId middle = patch(new Write(200, 20));
        assertThat(patches.layout.patchGroups()).isEqualTo(3);
        assertThat(patches.layout.leastLive(2))
                .extracting(UpdatedLayout.Holder::patch)
                .containsExactly(Optional.of(few), Optional.of(middle));
    }

    @Test
    void aPatchGroupWithoutLiveBytesIsGivenUp() {
        GroupId old = patch(new Write(0, 30));
        GroupId recent = patch(new Write(0, 31));
        assertThat(patches.sealed())
                .extracting(PatchGroup::group)
                .containsExactly(recent)
                .doesNotContain(old);
        assertThat(patches.sealed().get(0).liveBytes()).isEqualTo(31);
        assertThat(patches.sealed().get(0).indexOffset()).isPresent();
    }

    @Test
    void extentsThatPatchesCoverOrThatWereCutOffAreNotNeeded() {
        patch(new Write(990, 600));
        assertThat(patches.layout.extents()).containsExactly(FIRST, THIRD);
        patches.cut(2_100);
        patches.seal();
        assertThat(patches.layout.extents()).containsExactly(FIRST, THIRD.first(100));
        patches.cut(2_000);
        patches.cut(5_000);
        patches.seal();
        assertThat(patches.layout.extents()).containsExactly(FIRST);
    }

    @Test
    void onlyRegionsOfMoreThanOnePieceAreFragmented() {
        patch(new Write(0, 50), new Write(260, 10), new Write(600, 100), new Write(900, 50));
        assertThat(patches.layout.fragmented(100))
                .containsExactly(new Stretch(0, 100), new Stretch(200, 300), new Stretch(900, 1_000));
        assertThat(patches.layout.written(new Stretch(1_400, 2_100)))
                .as("without the hole")
                .containsExactly(new Stretch(1_400, 1_500), new Stretch(2_000, 2_100));
    }

    @Test
    void theFlatFileHasPatchesAndWhatIsUnderThemAsExtents() {
        GroupId group = patch(new Write(900, 200));
        long data = patches.bytes.extents().get(0).groupOffset();
        assertThat(patches.layout.flat())
                .containsExactly(
                        FIRST.first(900), new Extent(900, 200, group, data), new Extent(1_100, 400, OTHER, 170), THIRD);
    }
}

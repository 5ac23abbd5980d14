package io.ecfs.bench.koh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.Policy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KohPlanTest {
    private static final KohOptions USUAL = KohOptions.usual();

    private static KohPlan plan(KohOptions options, String... figures) {
        return new KohPlan(KohFigures.parse(List.of(figures)), options);
    }

    private static KohOptions sizes(String sizes) {
        return new KohOptions(USUAL.policies(), RequestSizes.parse(sizes), List.of(), USUAL.states(), 4L << 30, 30, 3);
    }

    private static KohOptions depth(int... depths) {
        return new KohOptions(
                USUAL.policies(),
                USUAL.sizes(),
                Arrays.stream(depths).boxed().toList(),
                USUAL.states(),
                4L << 30,
                30,
                3);
    }

    private static KohOptions policies(String... names) {
        return new KohOptions(
                Arrays.stream(names).map(Policy::parse).toList(),
                USUAL.sizes(),
                List.of(),
                USUAL.states(),
                4L << 30,
                30,
                3);
    }

    private static KohOptions file(long bytes) {
        return new KohOptions(USUAL.policies(), USUAL.sizes(), List.of(), USUAL.states(), bytes, 30, 3);
    }

    @Test
    void aFigureNeedsItsSizesDepthsStatesAndPoliciesInTurn() {
        List<KohStage> stages = plan(sizes("4k,64k"), "fig7").stages();
        assertThat(stages).hasSize(2 * 2 * 3);
        assertThat(stages.stream().map(stage -> stage.policy().name()).limit(4))
                .containsExactly("rs-6-3-64k", "rs-4-2-64k", "replication-3-64k", "rs-6-3-64k");
        assertThat(stages).allSatisfy(stage -> {
            KohStage.Requests requests = (KohStage.Requests) stage;
            assertThat(requests.series().word()).isEqualTo("sequential-write");
            assertThat(requests.depth()).isEqualTo(256);
        });
        assertThat(plan(sizes("4k"), "fig10").stages().stream()
                        .map(stage -> ((KohStage.Requests) stage).depth())
                        .distinct())
                .containsExactly(256, 1);
        assertThat(plan(USUAL, "fig20").stages())
                .hasSize(3)
                .allSatisfy(
                        stage -> assertThat(((KohStage.Requests) stage).state()).isEqualTo(ImageState.PRISTINE));
    }

    @Test
    void figuresShareWhatIsTheSame() {
        KohOptions options = sizes("4k");
        assertThat(plan(options, "fig9", "fig12", "fig14", "fig17").stages())
                .containsExactlyInAnyOrderElementsOf(plan(options, "fig17").stages());
        KohPlan all = plan(options, "all");
        assertThat(new HashSet<>(all.stages())).hasSameSizeAs(all.stages());
        for (KohFigure figure : all.figures()) {
            assertThat(all.stages(figure)).isNotEmpty();
            assertThat(all.stages()).containsAll(all.stages(figure));
        }
        assertThat(plan(options, "fig46").stages())
                .containsExactlyInAnyOrderElementsOf(
                        plan(options, "db", "vdi", "eda", "vda").stages());
        assertThat(plan(options, "fig9").seconds()).isEqualTo(3 * 30 * 3);
    }

    @Test
    void readsHaveAWrittenFileWhateverIsAskedFor() {
        KohOptions pristine =
                new KohOptions(USUAL.policies(), List.of(4096), List.of(), List.of(ImageState.PRISTINE), 1 << 30, 1, 1);
        assertThat(plan(pristine, "fig9").stages())
                .hasSize(3)
                .allSatisfy(
                        stage -> assertThat(((KohStage.Requests) stage).state()).isEqualTo(ImageState.OVERWRITE));
        assertThat(plan(pristine, "fig10").stages())
                .hasSize(6)
                .allSatisfy(
                        stage -> assertThat(((KohStage.Requests) stage).state()).isEqualTo(ImageState.PRISTINE));
        assertThat(plan(pristine, "fig21").stages().stream()
                        .map(stage -> ((KohStage.Requests) stage).state())
                        .distinct())
                .as("a figure that compares states needs both")
                .containsExactly(ImageState.PRISTINE, ImageState.OVERWRITE);
    }

    @Test
    void filesWithPatchesAreReadBesideThoseWithoutAndAreNoStateToWriteTo() {
        assertThat(plan(USUAL, "patches").stages())
                .as("of each code, without copies")
                .hasSize(6)
                .extracting(stage -> ((KohStage.Requests) stage).state())
                .containsExactly(
                        ImageState.OVERWRITE,
                        ImageState.OVERWRITE,
                        ImageState.PATCHED,
                        ImageState.PATCHED,
                        ImageState.MERGED,
                        ImageState.MERGED);
        assertThatThrownBy(() -> new KohOptions(
                        USUAL.policies(), USUAL.sizes(), List.of(), List.of(ImageState.PATCHED), 4L << 30, 30, 3))
                .hasMessageContaining("--state is pristine or overwrite");
    }

    @Test
    void comparisonsOfCodesAndKernelsNeedNoReplication() {
        assertThat(plan(sizes("4k"), "fig28").stages())
                .isNotEmpty()
                .allSatisfy(stage -> assertThat(stage.policy().dataChunks()).isGreaterThan(1));
        assertThat(plan(policies("rs-6-3-64k"), "fig25").stages().stream()
                        .map(stage -> ((KohStage.Requests) stage).kernel().orElseThrow())
                        .distinct())
                .containsExactly("native", "isal");
    }

    @Test
    void aDepthThatIsAskedForReplacesThoseOfTheFigures() {
        assertThat(plan(depth(16), "fig10").stages().stream()
                        .map(stage -> ((KohStage.Requests) stage).depth())
                        .distinct())
                .containsExactly(16);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 5000})
    void aDepthOutOfRangeIsRefused(int depth) {
        assertThatThrownBy(() -> depth(depth))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--depth must be from 1 to 4096, got " + depth);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, nearest is 1k",
        "1, nearest is 512",
        "0, nearest is 512",
        "65m, nearest is 64m",
        "1t, nearest is 64m",
        "4k..40k, nearest is 4k..64k",
        "x, expected a size"
    })
    void oddSizesAreRefused(String sizes, String message) {
        assertThatThrownBy(() -> RequestSizes.parse(sizes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThatThrownBy(() ->
                        new KohOptions(USUAL.policies(), List.of(1000), List.of(), USUAL.states(), 4L << 30, 30, 3))
                .hasMessageContaining("multiples of 512");
    }

    @Test
    void rangesOfSizesDouble() {
        assertThat(RequestSizes.parse("512,1k..8k,3k")).containsExactly(512, 1024, 2048, 4096, 8192, 3072);
        assertThat(USUAL.sizes()).hasSize(11).endsWith(1 << 20);
    }

    @Test
    void aFileBelowSixtyFourRequestsIsRefused() {
        assertThat(plan(file(64L << 20), "fig7").stages()).isNotEmpty();
        assertThatThrownBy(() -> plan(file((64L << 20) - 1), "fig7"))
                .hasMessageContaining("fewer than 64 requests of 1m: give --size 64m or more");
        assertThat(plan(file(1L << 20), "fig20").stages()).isNotEmpty();
        assertThatThrownBy(() -> plan(file((1L << 20) - 512), "fig20")).hasMessageContaining("give --size 1m");
        assertThatThrownBy(() -> plan(file(32L << 20), "vda")).hasMessageContaining("requests of 1m");
        assertThat(plan(file(512L << 10), "vdi").stages()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "fig6, fig7",
        "5, fig7",
        "30, fig29",
        "fig33, db",
        "36, vdi",
        "fig40, eda",
        "fig44, vda",
        "99, fig46",
        "vdo, vdi",
        "figg9, fig9",
        "al, all"
    })
    void anUnknownFigureGetsTheNearest(String word, String nearest) {
        assertThatThrownBy(() -> KohFigures.parse(List.of(word)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no figure '" + word + "', did you mean '" + nearest + "'? There are fig7, ");
    }

    @Test
    void figuresAreNamedByWordOrNumberAndCountOnce() {
        assertThat(KohFigures.parse(List.of("10", "fig10", "db")).stream().map(KohFigure::word))
                .containsExactly("fig10", "db");
        assertThatThrownBy(() -> KohFigures.parse(List.of())).hasMessageStartingWith("which figure? There are");
        assertThatThrownBy(() -> new KohPlan(List.of(), USUAL)).hasMessageStartingWith("which figure?");
    }

    @Test
    void policiesThatAFigureLacksAreNamed() {
        assertThatThrownBy(() -> plan(policies("rs-6-3-64k"), "fig7"))
                .hasMessageContaining("such as replication-3-64k");
        assertThatThrownBy(() -> plan(policies("replication-3-64k"), "fig7"))
                .hasMessageContaining("such as rs-6-3-64k");
        assertThatThrownBy(() -> plan(policies("rs-6-3-64k", "replication-3-64k"), "fig27"))
                .hasMessageContaining("two codes of different width");
    }

    @Test
    void otherBadOptionsAreRefused() {
        assertThatThrownBy(() ->
                        new KohOptions(USUAL.policies(), USUAL.sizes(), List.of(), USUAL.states(), 4L << 30, 0, 3))
                .hasMessageContaining("--seconds");
        assertThatThrownBy(() ->
                        new KohOptions(USUAL.policies(), USUAL.sizes(), List.of(), USUAL.states(), 4L << 30, 30, 0))
                .hasMessageContaining("--reps must be from 1 to 1000, got 0; nearest is 1");
        assertThatThrownBy(() -> new KohOptions(List.of(), USUAL.sizes(), List.of(), USUAL.states(), 4L << 30, 30, 3))
                .hasMessageContaining("--policies");
    }

    @Test
    void goalsConcernWhatTheirFigureMeasures() {
        assertThat(KohFigures.all()).hasSize(29).allSatisfy(figure -> {
            assertThat(figure.goals()).as(figure.word()).isNotEmpty();
            for (KohGoal goal : figure.goals()) {
                assertThat(goal.series().isEmpty()
                                || figure.series().stream()
                                        .anyMatch(series -> series.word().equals(goal.series()))
                                || figure.mixes().stream()
                                        .anyMatch(mix -> mix.word().equals(goal.series())))
                        .as(figure.word() + " " + goal.text())
                        .isTrue();
                List<Integer> sizes = figure.sizes().isEmpty() ? USUAL.sizes() : figure.sizes();
                assertThat(sizes).containsAll(goal.sizes());
                goal.depth()
                        .ifPresent(depth -> assertThat(
                                        depth == 256 || figure.depths().contains(depth))
                                .isTrue());
                assertThat(goal.paper().isPresent() && goal.section().isEmpty())
                        .as("a number of the paper has its section: %s", goal.text())
                        .isFalse();
            }
        });
        assertThat(KohFigures.parse(List.of("10")).get(0).goals())
                .extracting(KohGoal::depth)
                .contains(OptionalInt.of(1));
    }
}

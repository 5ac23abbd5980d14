package io.ecfs.bench.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.bench.report.Figure;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.PlanConfig;
import io.ecfs.env.ManualTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class BedTest {
    private static final PlanConfig GREEDY = planner(false);
    /** Time to warm up, and that is measured: enough to compare configurations. */
    private static final Span COMPARED = new Span(2, 5);
    /** For what is true of every run. */
    private static final Span BRIEF = new Span(0.2, 0.6);

    private static final List<Figure> RANDOM_AND_PLANNED = run(plan(List.of(0), Configuration.EC, Configuration.EC_C));

    /** Seconds. */
    private record Span(double warm, double measured) {}

    private static PlanConfig planner(boolean exact) {
        return ClientConfig.defaults().with("plan.exact=" + exact).plan();
    }

    private static BedPlan plan(List<Integer> failed, Configuration... configurations) {
        return plan(COMPARED, true, failed, configurations);
    }

    private static BedPlan plan(Span span, boolean callsOff, List<Integer> failed, Configuration... configurations) {
        return new BedPlan(
                BedPlan.Work.YCSB_E,
                Optional.empty(),
                List.of(configurations),
                2_000,
                100_000,
                19,
                1,
                true,
                32,
                50,
                span.warm,
                span.measured,
                GREEDY,
                false,
                callsOff,
                failed,
                1,
                7);
    }

    private static List<Figure> run(BedPlan plan) {
        List<Figure> figures = new ArrayList<>();
        new Bed(plan, new ManualTime(1), () -> 0).run(figures::add, (share, doing) -> {});
        return figures;
    }

    private static Figure figure(List<Figure> figures, String name, Configuration configuration) {
        return figures.stream()
                .filter(f -> f.name().equals(name) && f.params().get("config").equals(configuration.word()))
                .findFirst()
                .orElseThrow();
    }

    private static double value(List<Figure> figures, String name, Configuration configuration) {
        return figure(figures, name, configuration).value();
    }

    private static double param(List<Figure> figures, String name, Configuration configuration) {
        return figure(figures, "latency_mean", configuration).number(name).orElseThrow();
    }

    @Test
    void theSameSeedGivesTheSameFigures() {
        BedPlan plan = plan(BRIEF, true, List.of(0, 1), Configuration.EC, Configuration.EC_C);
        assertThat(run(plan)).isEqualTo(run(plan));
    }

    @Test
    void plannedReadsTurnToFewerSitesThanRandomOnesAndAreFaster() {
        assertThat(value(RANDOM_AND_PLANNED, "latency_mean", Configuration.EC_C))
                .isLessThan(value(RANDOM_AND_PLANNED, "latency_mean", Configuration.EC));
        assertThat(param(RANDOM_AND_PLANNED, "visits_per_request", Configuration.EC_C))
                .isLessThan(param(RANDOM_AND_PLANNED, "visits_per_request", Configuration.EC));
    }

    @Test
    void plansAreKeptAndServeAgain() {
        assertThat(value(RANDOM_AND_PLANNED, "plan_cache_hit", Configuration.EC_C))
                .isBetween(50.0, 100.0);
        assertThat(RANDOM_AND_PLANNED.stream().filter(f -> f.name().equals("plan_cache_hit")))
                .as("nothing is planned without the planner")
                .hasSize(1);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void exactPlansAreTheSameInEveryRun() {
        BedPlan plan = small(planner(true));
        assertThat(run(plan)).isEqualTo(run(plan)).isNotEqualTo(run(small(GREEDY)));
    }

    private static BedPlan small(PlanConfig planner) {
        return new BedPlan(
                BedPlan.Work.YCSB_E,
                Optional.empty(),
                List.of(Configuration.EC_C),
                40,
                100_000,
                6,
                1,
                true,
                12,
                10,
                0.1,
                0.4,
                planner,
                false,
                true,
                List.of(0),
                1,
                7);
    }

    @Test
    void lateBindingThatCallsOffWhatItDoesNotNeedIsFaster() {
        List<Figure> calledOff = run(plan(List.of(0), Configuration.EC_LB));
        List<Figure> readAll = run(plan(COMPARED, false, List.of(0), Configuration.EC_LB));
        assertThat(value(calledOff, "latency_mean", Configuration.EC_LB))
                .isLessThan(value(readAll, "latency_mean", Configuration.EC_LB));
    }

    @Test
    @Tag("soak")
    void chunksThatMoveMakePlannedReadsFasterAtTheMoversPace() {
        List<Figure> figures = run(new BedPlan(
                BedPlan.Work.YCSB_E,
                Optional.empty(),
                List.of(Configuration.EC_C, Configuration.EC_C_M),
                200,
                100_000,
                9,
                1,
                true,
                12,
                20,
                5,
                60,
                GREEDY,
                false,
                true,
                List.of(0),
                1,
                7));
        assertThat(value(figures, "latency_mean", Configuration.EC_C_M))
                .isLessThan(0.97 * value(figures, "latency_mean", Configuration.EC_C));
        assertThat(param(figures, "moves", Configuration.EC_C)).isZero();
        assertThat(param(figures, "moves", Configuration.EC_C_M)).isBetween(20.0, 60.0);
        assertThat(value(figures, "statistics_of_stored", Configuration.EC_C_M))
                .as("some hundred kilobytes for 40 MB: small beds take the larger part")
                .isBetween(0.1, 5.0);
    }

    @Test
    void everyConfigurationReadsOnWithFailedSites() {
        List<Figure> figures = run(plan(BRIEF, true, List.of(1, 2), Configuration.values()));
        assertThat(figures).hasSize(2 * (3 * 4 + 5 + 2 * 6));
        assertThat(figures).allSatisfy(f -> assertThat(f.value()).isPositive());
    }

    @Test
    void lateBindingBesideAPlanAsksForWhatIsNeededFirst() {
        List<Figure> figures = run(plan(List.of(0), Configuration.EC_LB, Configuration.EC_C_M_LB));
        assertThat(value(figures, "latency_mean", Configuration.EC_C_M_LB))
                .isLessThan(0.75 * value(figures, "latency_mean", Configuration.EC_LB));
    }

    @Test
    void aPowerLawGivesRankOneTwiceTheDrawsOfRankTwo() {
        PowerLaw ranks = new PowerLaw(10, 1);
        SplittableRandom random = new SplittableRandom(1);
        int[] drawn = new int[10];
        IntStream.range(0, 100_000).forEach(i -> drawn[ranks.draw(random)]++);
        assertThat(Arrays.stream(drawn).sum()).isEqualTo(100_000);
        assertThat((double) drawn[0] / drawn[1]).isCloseTo(2, within(0.1));
        assertThat((double) drawn[0] / drawn[9]).isCloseTo(10, within(0.8));
    }

    @Test
    void chunksOfABlockAreAtDifferentSitesAndStaySoWhenTheyMove() {
        int[] bytes = new int[500];
        ChunkMap map = new ChunkMap(6, 4, bytes, new SplittableRandom(3));
        for (int block = 0; block < bytes.length; block++) {
            int b = block;
            assertThat(IntStream.range(0, 4).map(chunk -> map.site(b, chunk)).distinct())
                    .hasSize(4);
        }
        int free = IntStream.range(0, 6)
                .filter(site -> !map.has(0, site))
                .findFirst()
                .orElseThrow();
        int taken = map.site(0, 1);
        assertThatThrownBy(() -> map.move(0, 0, taken)).isInstanceOf(IllegalArgumentException.class);
        map.move(0, 0, free);
        assertThat(map.site(0, 0)).isEqualTo(free);
    }

    @Test
    void imagesOfAPageAndTheirBytesHaveTheMediansOfTheTrace() {
        WikiPages pages = new WikiPages(100_000, 0, new SplittableRandom(5));
        int[] sorted = Arrays.stream(pages.blockBytes()).sorted().toArray();
        assertThat((double) sorted[sorted.length / 2]).isCloseTo(500_000, within(20_000.0));
        SplittableRandom random = new SplittableRandom(6);
        int[] images = IntStream.range(0, 10_000)
                .map(i -> pages.next(random).length)
                .sorted()
                .toArray();
        assertThat(images[images.length / 2]).isBetween(9, 11);
    }
}

package io.ecfs.console.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.console.bench.report.Figure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BedTest {
    private static BedPlan plan(List<Integer> failed, Configuration... configurations) {
        return new BedPlan(
                BedPlan.Work.YCSB_E, List.of(configurations), 2_000, 100_000, 19, 1, 32, 50, 2, 5, failed, 1, 7);
    }

    private static List<Figure> run(BedPlan plan) {
        List<Figure> figures = new ArrayList<>();
        new Bed(plan).run(figures::add, (share, doing) -> {});
        return figures;
    }

    private static double value(List<Figure> figures, String name, Configuration configuration) {
        return figures.stream()
                .filter(f -> f.name().equals(name) && f.params().get("config").equals(configuration.word()))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theSameSeedGivesTheSameFigures() {
        BedPlan plan = plan(List.of(0, 1), Configuration.EC, Configuration.EC_C);
        assertThat(run(plan)).isEqualTo(run(plan));
    }

    @Test
    void plannedReadsTurnToFewerSitesThanRandomOnesAndAreFaster() {
        List<Figure> figures = run(plan(List.of(0), Configuration.EC, Configuration.EC_C));
        assertThat(value(figures, "latency_mean", Configuration.EC_C))
                .isLessThan(value(figures, "latency_mean", Configuration.EC));
        assertThat(figures.get(4).number("sites_per_request").orElseThrow())
                .isLessThan(figures.get(0).number("sites_per_request").orElseThrow());
    }

    @Test
    void chunksThatMoveMakePlannedReadsFasterAtTheMoversPace() {
        List<Figure> figures = run(new BedPlan(
                BedPlan.Work.YCSB_E,
                List.of(Configuration.EC_C, Configuration.EC_C_M),
                200,
                100_000,
                9,
                1,
                12,
                20,
                5,
                60,
                List.of(0),
                1,
                7));
        assertThat(value(figures, "latency_mean", Configuration.EC_C_M))
                .isLessThan(0.97 * value(figures, "latency_mean", Configuration.EC_C));
        assertThat(figures.get(0).number("moves").orElseThrow()).isZero();
        assertThat(figures.get(4).number("moves").orElseThrow()).isBetween(20.0, 60.0);
    }

    @Test
    void everyConfigurationReadsOnWithFailedSites() {
        List<Figure> figures = run(plan(List.of(1, 2), Configuration.values()));
        assertThat(figures).hasSize(2 * Configuration.values().length * 4);
        assertThat(figures).allSatisfy(f -> assertThat(f.value()).isPositive());
    }

    @Test
    void requestsOfAPageAreServedOneAfterTheOtherBySites() {
        QueuedSite site = new QueuedSite(new Device(1_000, 1_000_000_000));
        site.begin(0);
        assertThat(site.read(500)).isEqualTo(1_500);
        assertThat(site.read(500)).isEqualTo(2_000);
        site.begin(100);
        assertThat(site.read(1)).isEqualTo(3_001);
        assertThat(site.responseNanos(101)).isEqualTo(2_900 + 1_000);
        assertThat(site.bytesRead()).isEqualTo(1_001);
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
        for (int block = 0; block < map.blocks(); block++) {
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

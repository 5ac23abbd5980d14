package io.ecfs.bench.bed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.bench.bed.BedPlan;
import io.ecfs.bench.bed.Configuration;
import io.ecfs.bench.report.Figure;
import io.ecfs.client.base.PlanConfig;
import io.ecfs.env.real.RealEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small runs on real clusters; every read is compared with what was stored, so one that ends has read right. */
@Timeout(300)
class ClusterBedTest {
    /** Patterns of the names of {@link Configuration}s: all others are tested in the soak. */
    private static final String LEAST_PLANNED = "EC";

    private static final String MOST_PLANNED = "EC_C_M_LB";

    @TempDir
    private Path directory;

    private List<Figure> run(Configuration configuration, BedPlan.Work work, int blocks, int failed)
            throws IOException {
        BedPlan plan = new BedPlan(
                work,
                Optional.empty(),
                List.of(configuration),
                blocks,
                40_000,
                8,
                1,
                true,
                6,
                10,
                0.2,
                0.8,
                PlanConfig.defaults(),
                false,
                true,
                List.of(failed),
                1,
                7);
        ClusterSetting setting = new ClusterSetting(
                Optional.of(directory),
                1,
                1,
                false,
                List.of("datanode.store.reserveBytes=1m", "namenode.settings.minFreeBytes=1m"));
        List<Figure> figures = new ArrayList<>();
        new ClusterBed(plan, setting, RealEnvironment.open())
                .run(figures::add, (share, doing) -> {}, (ready, of, waitingFor) -> {});
        return figures;
    }

    private static double value(List<Figure> figures, String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @ParameterizedTest
    @EnumSource(value = Configuration.class, mode = EnumSource.Mode.MATCH_ANY, names = MOST_PLANNED)
    void theMostPlannedConfigurationReadsWhatWasStored(Configuration configuration) throws IOException {
        readsWhatWasStored(configuration);
    }

    @Tag("soak")
    @ParameterizedTest
    @EnumSource(value = Configuration.class, mode = EnumSource.Mode.MATCH_NONE, names = MOST_PLANNED)
    void theOtherConfigurationsReadWhatWasStored(Configuration configuration) throws IOException {
        readsWhatWasStored(configuration);
    }

    private void readsWhatWasStored(Configuration configuration) throws IOException {
        List<Figure> figures = run(configuration, BedPlan.Work.YCSB_E, 40, 0);
        assertThat(figures)
                .extracting(Figure::name)
                .contains(
                        "latency_mean",
                        "latency_p50",
                        "latency_p99",
                        "lambda",
                        "metadata_mean",
                        "retrieval_mean",
                        "decoding_mean",
                        "disks_busy",
                        "processors_busy");
        assertThat(figures).allSatisfy(figure -> assertThat(figure.params()).containsEntry("bed", "cluster"));
        Figure mean = figures.get(0);
        assertThat(mean.value()).isPositive();
        assertThat(mean.number("requests_per_s").orElseThrow()).isPositive();
        assertThat(mean.number("visits_per_request").orElseThrow()).isGreaterThanOrEqualTo(1);
        assertThat(value(figures, "disks_busy")).isBetween(1.0, 100.0);
        assertThat(figures.stream().anyMatch(figure -> figure.name().equals("plan_cache_hit")))
                .isEqualTo(configuration.planned());
        assertThat(directory).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource(value = Configuration.class, mode = EnumSource.Mode.MATCH_ANY, names = LEAST_PLANNED)
    void clientsFindOutThatDatanodesStopped(Configuration configuration) throws IOException {
        findsOutThatDatanodesStopped(configuration);
    }

    @Tag("soak")
    @ParameterizedTest
    @EnumSource(value = Configuration.class, mode = EnumSource.Mode.MATCH_NONE, names = LEAST_PLANNED)
    void allOtherClientsFindItOut(Configuration configuration) throws IOException {
        findsOutThatDatanodesStopped(configuration);
    }

    private void findsOutThatDatanodesStopped(Configuration configuration) throws IOException {
        List<Figure> figures = run(configuration, BedPlan.Work.WIKI, 30, 2);
        assertThat(figures.get(0).number("requests_per_s").orElseThrow()).isPositive();
        assertThat(directory).isEmptyDirectory();
    }
}

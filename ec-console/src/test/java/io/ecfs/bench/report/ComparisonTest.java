package io.ecfs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.bench.report.Comparison.Verdict;
import io.ecfs.plan.write.WritePart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static List<Figure> figures(String name, String unit, Map<String, Object> params, double... values) {
        return new ArrayList<>(DoubleStream.of(values)
                .mapToObj(value -> new Figure(name, value, unit, params))
                .toList());
    }

    private static Comparison.Row only(List<Figure> first, List<Figure> second) {
        Comparison comparison = Comparison.of(first, second);
        assertThat(comparison.onlyFirst()).isEmpty();
        assertThat(comparison.onlySecond()).isEmpty();
        assertThat(comparison.rows()).hasSize(1);
        return comparison.rows().get(0);
    }

    @Test
    void rangesThatDoNotTouchAreAChangeAndThoseThatDoAreNoise() {
        List<Figure> before = figures("write_seq", "MB/s", Map.of("threads", 1), 90, 100, 110);
        assertThat(only(before, figures("write_seq", "MB/s", Map.of("threads", 1), 150, 140, 145))
                        .verdict())
                .isEqualTo(Verdict.BETTER);
        assertThat(only(before, figures("write_seq", "MB/s", Map.of("threads", 1), 80, 85, 89))
                        .verdict())
                .isEqualTo(Verdict.WORSE);
        assertThat(only(before, figures("write_seq", "MB/s", Map.of("threads", 1), 109, 120, 130))
                        .verdict())
                .isEqualTo(Verdict.WITHIN_NOISE);
    }

    /** Records of earlier releases and of the HDFS peer have seconds, bytes and operations only. */
    @Test
    void userAndSystemTimeStandApartByByteAndByOperation() {
        List<Figure> figures = new ArrayList<>();
        for (double user : new double[] {3, 1, 2}) {
            figures.add(new Figure(
                    "write_seq",
                    100,
                    "MB/s",
                    Map.of("cpu_user_s", user, "cpu_sys_s", 0.5, "bytes", 500_000_000, "ops", 1000)));
        }
        Summary summary = Summary.of(figures).get(0);
        assertThat(summary.median("cpu_user_s", "bytes", 1e9)).hasValue(4);
        assertThat(summary.median("cpu_sys_s", "bytes", 1e9)).hasValue(1);
        assertThat(summary.median("cpu_user_s", "ops", 1e6)).hasValue(2000);
        assertThat(summary.median("cpu_user_s", "files", 1)).isEmpty();
        Table table = Tables.figures(List.of(summary));
        List<String> row = table.rows().get(0);
        assertThat(row.get(table.heads().indexOf("USER s/GB"))).isEqualTo("4.00");
        assertThat(row.get(table.heads().indexOf("SYSTEM s/GB"))).isEqualTo("1.00");
    }

    /** The step stood under another name, which was the paper's for work in a datanode that encodes. */
    @Test
    void namenodeTimeOfOlderRecordsIsReadUnderItsOldName() {
        WriteSteps steps = new WriteSteps(20, 0, Map.of(WritePart.ASKING, 0.2, WritePart.ENCODING, 0.3));
        Map<String, Object> old = new LinkedHashMap<>(steps.members());
        old.put("master_s", old.remove("namenode_s"));
        Figure figure = new Figure("write_seq", 100, "MB/s", Map.of(WriteSteps.PARAM, old));
        assertThat(WriteSteps.of(figure)).contains(steps);
    }

    @Test
    void aRateThatWasMeasuredOnceProvesNoChange() {
        assertThat(only(figures("pread", "ops/s", Map.of(), 100), figures("pread", "ops/s", Map.of(), 200, 210, 220))
                        .verdict())
                .isEqualTo(Verdict.MEASURED_ONCE);
    }

    @Test
    void lessIsBetterWhereTheUnitIsNoRate() {
        List<Figure> before = figures("disk_bytes_per_byte", "ratio", Map.of(), 1.7);
        assertThat(only(before, figures("disk_bytes_per_byte", "ratio", Map.of(), 1.5))
                        .verdict())
                .isEqualTo(Verdict.BETTER);
        assertThat(only(before, figures("disk_bytes_per_byte", "ratio", Map.of(), 1.71))
                        .verdict())
                .as("below two per cent")
                .isEqualTo(Verdict.WITHIN_NOISE);
    }

    @Test
    void theRatioIsThatOfTheMedians() {
        Comparison.Row row = only(
                figures("a", "MB/s", Map.of("cpu_s_per_GB", 4), 1, 100, 200),
                figures("a", "MB/s", Map.of("cpu_s_per_GB", 1), 50, 300));
        assertThat(row.ratio()).isCloseTo(1.75, within(1e-9));
        assertThat(row.ratio("cpu_s_per_GB")).contains(0.25);
        assertThat(row.ratio("p50_us")).isEmpty();
    }

    @Test
    void ourFiguresMeetThoseOfTheHdfsPeer() {
        List<Figure> peer = new ArrayList<>();
        peer.addAll(figures("write_seq", "MB/s", Map.of("policy", "RS-6-3-1024k", "dns", "10", "threads", 4), 471));
        peer.addAll(figures("small_write", "files/s", Map.of("policy", "RS-3-2-1024k", "sync", "false"), 136));
        peer.addAll(figures("meta_create", "ops/s", Map.of("policy", "REP3", "dns", "3"), 3192));
        peer.addAll(figures("read_seq", "MB/s", Map.of("policy", "REP3", "threads", 1), 1257));
        List<Figure> ours = new ArrayList<>();
        ours.addAll(figures("write_seq", "MB/s", Map.of("policy", "rs-6-3-1024k", "dns", 10, "threads", 4), 900));
        ours.addAll(figures(
                "small_write", "files/s", Map.of("policy", "rs-3-2-1024k", "threads", 8, "len", 102_400), 1000));
        ours.addAll(figures("meta_create", "ops/s", Map.of("policy", "rs-6-3-1024k", "threads", 16), 6000));
        ours.addAll(figures("read_seq", "MB/s", Map.of("policy", "replication-3", "threads", 1), 2000));
        Comparison comparison = Comparison.of(peer, ours);
        assertThat(comparison.rows()).hasSize(4);
        assertThat(comparison.onlyFirst()).isEmpty();
        assertThat(comparison.onlySecond()).isEmpty();
    }

    @Test
    void whatOnlyOneMeasuredIsNamedAndNothingElseMeets() {
        List<Figure> one = figures("write_seq", "MB/s", Map.of("policy", "rs-6-3-1024k", "threads", 1), 100);
        List<Figure> other = figures("write_seq", "MB/s", Map.of("policy", "rs-6-3-1024k", "threads", 4), 100);
        Comparison comparison = Comparison.of(one, other);
        assertThat(comparison.rows()).isEmpty();
        assertThat(comparison.onlyFirst())
                .extracting(s -> s.key().text())
                .containsExactly("policy=rs-6-3-1024k threads=1");
        assertThat(comparison.onlySecond()).hasSize(1);
    }
}

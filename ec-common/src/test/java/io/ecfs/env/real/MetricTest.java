package io.ecfs.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricTest {
    private static final List<Metric> METRICS = List.of(
            Metric.counter("ecfs_x_bytes_total", "Bytes", Map.of("a", "q\"\\\n"), 1L << 40)
                    .formerly("ecfs_x_bytes"),
            Metric.gauge("ecfs_y_seconds", "Time", Map.of(), 0.25).formerly("ecfs_y_milliseconds", Map.of(), 250),
            Metric.counter("ecfs_x_bytes_total", "Bytes", Map.of("a", "b"), 2).formerly("ecfs_x_bytes"));

    @Test
    void samplesOfOneNameFollowItsType() {
        assertThat(Metric.text(METRICS, false)).isEqualTo("""
                        # HELP ecfs_x_bytes_total Bytes
                        # TYPE ecfs_x_bytes_total counter
                        ecfs_x_bytes_total{a="q\\"\\\\\\n"} 1099511627776
                        ecfs_x_bytes_total{a="b"} 2
                        # HELP ecfs_y_seconds Time
                        # TYPE ecfs_y_seconds gauge
                        ecfs_y_seconds 0.25
                        """);
    }

    @Test
    void formerNamesAreGaugesWithTheirOwnUnits() {
        assertThat(Metric.text(METRICS, true))
                .startsWith(Metric.text(METRICS, false))
                .contains("# HELP ecfs_x_bytes Deprecated: use ecfs_x_bytes_total\n# TYPE ecfs_x_bytes gauge\n")
                .contains("\necfs_y_milliseconds 250\n");
    }

    @Test
    void onlyCountersEndInTotal() {
        assertThatThrownBy(() -> Metric.gauge("ecfs_x_total", "", Map.of(), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Metric.counter("ecfs_x", "", Map.of(), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

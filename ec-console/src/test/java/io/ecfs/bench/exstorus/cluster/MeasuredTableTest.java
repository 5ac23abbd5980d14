package io.ecfs.bench.exstorus.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.bench.report.Table;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MeasuredTableTest {
    @Test
    void everyRowBeginsWithItsRun() {
        MeasuredTable measured = new MeasuredTable("rates", "MB/s");
        WriteMix mix = WriteMix.ofThePaper(131_072, 40);
        measured.add(OptionalDouble.of(2.5), mix, "client", 4, "203.7");
        measured.add(OptionalDouble.empty(), mix, "master", 1, "80.0");
        Table table = measured.table();
        assertThat(table.heads()).containsExactly("NETWORK", "CODE", "RECORD", "SIDE", "UNDER WAY", "MB/s");
        assertThat(table.rows())
                .containsExactly(
                        List.of("2.5g", "rs-4-2-32k", "128 K", "client", "4", "203.7"),
                        List.of("-", "rs-4-2-32k", "128 K", "master", "1", "80.0"));
    }
}

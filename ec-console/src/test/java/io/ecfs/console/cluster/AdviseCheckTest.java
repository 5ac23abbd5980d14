package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forecasts beside recoveries of real clusters on this machine; how near they are depends on what else it does. */
class AdviseCheckTest {
    @Tag("soak")
    @Test
    void eachHeldOutConfigurationIsMeasuredAndPredicted(@TempDir Path directory) throws IOException {
        Ecfs check = Ecfs.run("advise", "--check", "--json", "--dir", directory.toString());
        JsonNode rows = check.json();
        assertThat(rows).hasSize(6);
        boolean allHold = true;
        for (JsonNode row : rows) {
            assertThat(row.get("measuredSeconds").asDouble()).as("%s", row).isPositive();
            assertThat(row.get("predictedSeconds").asDouble()).as("%s", row).isPositive();
            allHold &= Math.abs(row.get("difference").asDouble()) <= 0.35;
        }
        assertThat(check.code()).as("%s%s", rows, check.err()).isEqualTo(allHold ? 0 : 1);
        assertThat(directory).isEmptyDirectory();
        assertThat(check.err()).contains("a datanode like this machine: --disk ");
    }
}

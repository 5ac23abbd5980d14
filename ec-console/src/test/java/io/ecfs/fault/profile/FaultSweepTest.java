package io.ecfs.fault.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultSweepTest {
    @TempDir
    private Path directory;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void allCombinationsAreProfiles() throws IOException {
        write("p.yaml", "{faults: [{fault: kill}], cluster: {set: [datanode.repair.atOnce=2]}}");
        Path file = write("s.yaml", """
                profile: p.yaml
                settings:
                  workload.bytes: [1m, 2m, 3m]
                  datanode.repair.atOnce: [1, 8]
                """);
        FaultSweep sweep = FaultSweep.read(file);
        List<Map<String, String>> combinations = sweep.combinations();
        assertThat(combinations).hasSize(6).doesNotHaveDuplicates();
        FaultProfile last = sweep.profile(file, combinations.get(5));
        assertThat(last.workload().bytes()).isEqualTo(3 << 20);
        assertThat(last.cluster().set()).endsWith("datanode.repair.atOnce=8");
    }

    @Test
    void badSweepsAreOneLine() throws IOException {
        assertThatThrownBy(() -> FaultSweep.read(write("a.yaml", "{profile: p.yaml, settings: {}}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nearest valid is {datanode.repair.slicesAtOnce: [1, 4]}");
        String many = "[" + "1,".repeat(14) + "1]";
        assertThatThrownBy(() -> FaultSweep.read(
                        write("b.yaml", "{profile: p.yaml, settings: {a: " + many + ", b: " + many + "}}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("at most 200 combinations");
        assertThatThrownBy(() -> FaultSweep.read(write("c.yaml", "{profle: p.yaml, settings: {a: [1]}}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nearest is 'profile'");
    }
}

package io.ecfs.console.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WritePart;
import io.ecfs.plan.write.WriteSample;
import io.ecfs.plan.write.WriteShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleFileTest {
    @TempDir
    private Path directory;

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("writes.csv"), List.of(lines));
    }

    @Test
    void linesAreWritesInMicroseconds() throws IOException {
        List<WriteSample> samples = SampleFile.read(
                file("# measured", SampleFile.HEAD, "master,4,2,32k,128k,1g,10g,12.5,0,3,4,5,600,7"), 20_000);
        assertThat(samples).hasSize(1);
        WriteSample sample = samples.get(0);
        assertThat(sample.shape().side()).isEqualTo(WriteSide.MASTER);
        assertThat(sample.shape().stripes()).isEqualTo(1);
        assertThat(sample.network().bytesPerSecond()).isEqualTo(1.25e9);
        assertThat(sample.nanos())
                .containsEntry(WritePart.COPYING, 12_500.0)
                .containsEntry(WritePart.DISTRIBUTING, 600e3);
    }

    @Test
    void emptyTimesWereNotMeasured() throws IOException {
        WriteSample sample =
                SampleFile.read(file("client,4,2,32k,128k,1g,-,1,2,,,5,6,7"), 0).get(0);
        assertThat(sample.nanos()).doesNotContainKey(WritePart.MANAGING).hasSize(5);
        assertThat(sample.network().bytesPerSecond()).isInfinite();
    }

    @Test
    void badLinesAreNamed() throws IOException {
        for (String bad : List.of(
                "clint,4,2,32k,128k,1g,-,1,2,,,5,6,7", "client,4,2", "client,4,2,32k,128k,1g,10x,1,2,,,5,6,7")) {
            Path file = file(SampleFile.HEAD, bad);
            assertThatThrownBy(() -> SampleFile.read(file, 0))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining(file + " has no measured write in line 2 '" + bad + "': ");
        }
    }

    @Test
    void thePresetOfThisFileSystemIsCalibratedFromItsWrites() {
        WriteConstants constants = WritePresets.ECFS.constants();
        WriteShape shape = new WriteShape(WriteSide.CLIENT, 4, 2, 65_536, 262_144, 96 << 20, 512L << 20);
        WriteCost cost = new WriteCost(constants, shape, new Network(Double.POSITIVE_INFINITY, 0));
        assertThat(cost.nanos(WritePart.COPYING)).as("35.9 us measured").isBetween(25_000.0, 50_000.0);
        assertThat(cost.nanos(WritePart.DISTRIBUTING)).as("673 us measured").isBetween(450_000.0, 950_000.0);
    }

    @Test
    void aFileWithoutWritesIsRefused() throws IOException {
        Path file = file(SampleFile.HEAD);
        assertThatThrownBy(() -> SampleFile.read(file, 0)).hasMessageContaining("has no measured write");
    }
}

package io.ecfs.fault.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabTest {
    @TempDir
    private Path volume;

    /** Damage to the garbage of an earlier generation would be found by nobody. */
    @Test
    void ofAChunkThatCameBackToItsVolumeTheNewestFileIsDamaged() throws IOException {
        Path fan = Files.createDirectories(volume.resolve("finalised/00"));
        for (String name : new String[] {"7.3.2.data", "7.3.10.data", "7.3.10.sum", "7.3.9.data", "17.3.11.data"}) {
            Files.createFile(fan.resolve(name));
        }
        assertThat(Lab.chunkFile(volume, "7.3.")).contains(fan.resolve("7.3.10.data"));
        assertThat(Lab.chunkFile(volume, "7.1.")).isEmpty();
        assertThat(Lab.chunkFile(volume.resolve("none"), "7.3.")).isEmpty();
    }
}

package io.ecfs.fault.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabChunksTest {
    private static final GroupId GROUP = new GroupId(0x107);

    @TempDir
    private Path volume;

    /** Damage to the garbage of an earlier generation would be found by nobody. */
    @Test
    void ofAChunkThatCameBackToItsVolumeTheNewestFileIsDamaged() throws IOException {
        Path fan = Files.createDirectories(volume.resolve("finalised/07"));
        for (String name :
                new String[] {"263.3.2.data", "263.3.10.data", "263.3.10.sum", "263.3.9.data", "7.3.11.data"}) {
            Files.createFile(fan.resolve(name));
        }
        assertThat(LabChunks.newest(volume, GROUP, 3)).contains(fan.resolve("263.3.10.data"));
        assertThat(LabChunks.newest(volume, GROUP, 1)).isEmpty();
        assertThat(LabChunks.newest(volume.resolve("gone"), GROUP, 3)).isEmpty();
        assertThat(LabChunks.exists(volume, new ChunkId(GROUP, 3, 9))).isTrue();
        assertThat(LabChunks.exists(volume, new ChunkId(GROUP, 3, 1))).isFalse();
    }
}

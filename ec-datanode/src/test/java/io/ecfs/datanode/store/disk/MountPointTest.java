package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountPointTest {
    @TempDir
    private Path directory;

    @Test
    void anotherDeviceThanTheParentsIsMountedThereAndALinkToItCounts() throws IOException {
        assertThat(MountPoint.at(Path.of("/proc"))).isTrue();
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("/proc"));
        assertThat(MountPoint.at(link)).isTrue();
        Files.delete(link);
    }

    @Test
    void aDirectoryOfItsParentsFileSystemIsNoMountPoint() throws IOException {
        assertThat(MountPoint.at(Files.createDirectory(directory.resolve("plain"))))
                .isFalse();
    }
}

package io.ecfs.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.FileSystemSync;
import io.ecfs.env.real.FileSystemSyncs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That a file system was synced no test sees; that the call arrives and tells its errors, this one does. */
class NativeFileSystemSyncTest {
    @TempDir
    private Path directory;

    @Test
    void isFoundAndSyncsTheFileSystemOfADirectory() throws IOException {
        FileSystemSync sync = FileSystemSyncs.find().orElseThrow();
        assertThat(sync).isInstanceOf(NativeFileSystemSync.class);
        Files.writeString(directory.resolve("file"), "bytes");
        sync.sync(directory);
    }

    @ParameterizedTest
    @CsvSource({
        "4.18.0-553.el8_10.x86_64, false",
        "5.7.19, false",
        "unknown, false",
        "5.8, true",
        "5.10.0-35-amd64, true",
        "6.1.0, true",
        "10.0-rc1, true"
    })
    void kernelsWhoseSyncfsHidesFailedWritesAreNotAsked(String release, boolean used) {
        assertThat(NativeFileSystemSync.silentKernel(release).isEmpty()).isEqualTo(used);
    }

    @Test
    void whatIsNoDirectoryIsAnErrorWithItsReason() throws IOException {
        FileSystemSync sync = new NativeFileSystemSync();
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> sync.sync(missing))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(missing.toString())
                .hasMessageContaining("No such file or directory");
        Path file = Files.writeString(directory.resolve("file"), "bytes");
        assertThatThrownBy(() -> sync.sync(file)).hasMessageContaining("Not a directory");
    }
}

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

package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewDirectoriesTest {
    @TempDir
    Path there;

    private List<Path> syncedFor(Path directory) throws IOException {
        List<Path> synced = new ArrayList<>();
        NewDirectories.create(directory, synced::add);
        assertThat(directory).isDirectory();
        return synced;
    }

    @Test
    void everyNewNameIsSyncedInTheDirectoryThatHoldsIt() throws IOException {
        Path volume = there.resolve("data").resolve("volume");
        assertThat(syncedFor(volume)).containsExactly(there, there.resolve("data"));
    }

    @Test
    void aDirectoryFromAnEarlierStartIsSyncedAgain() throws IOException {
        assertThat(syncedFor(there.resolve("volume"))).containsExactly(there);
        assertThat(syncedFor(there.resolve("volume"))).containsExactly(there);
    }
}

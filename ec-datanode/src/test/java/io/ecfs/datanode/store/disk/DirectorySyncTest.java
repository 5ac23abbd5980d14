package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.FileSystemSync;
import io.ecfs.env.RecordingChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real directory is asked to put on disk: only the loss of power would show whether it was. */
class DirectorySyncTest {
    @TempDir
    private Path root;

    private final List<String> forced = new ArrayList<>();

    @BeforeEach
    void write() throws IOException {
        try (DirectoryVolumeIo io = open(Optional.empty())) {
            io.createDirectory("a");
            io.createDirectory("b");
            for (String file : List.of("a/1", "a/2", "b/3")) {
                io.create(file);
                io.write(file, 0, ByteBuffer.wrap(new byte[] {1, 2, 3}));
            }
        }
        forced.clear();
    }

    private DirectoryVolumeIo open(Optional<FileSystemSync> fileSystem) throws IOException {
        DirectoryVolumeIo io = new DirectoryVolumeIo(root, 4, fileSystem, this::recording);
        forced.clear(); // the names of the directory itself
        return io;
    }

    private FileChannel recording(Path path, OpenOption... options) throws IOException {
        return new RecordingChannel(
                FileChannel.open(path, options),
                metaData ->
                        forced.add(root.toAbsolutePath().relativize(path) + (metaData ? "" : " without its length")));
    }

    @Test
    void aNewDirectorysNameIsForcedInTheOneAboveIt() throws IOException {
        Path below = root.resolve("c/d");
        new DirectoryVolumeIo(below, 4, Optional.empty(), this::recording).close();
        assertThat(forced).containsExactly("", "c");
    }

    @Test
    void theSyncOfAFileForcesItsBytesAndItsLength() throws IOException {
        try (DirectoryVolumeIo io = open(Optional.empty())) {
            io.sync("a/1");
            assertThat(forced).containsExactly("a/1");
        }
    }

    @Test
    void theSyncOfADirectoryForcesThatOneAlone() throws IOException {
        try (DirectoryVolumeIo io = open(Optional.empty())) {
            io.syncDirectory("b");
            io.syncDirectory("");
            assertThat(forced).containsExactly("b", "");
        }
    }

    @Test
    void withoutSyncfsEachFileAndDirectoryIsForcedOnce() throws IOException {
        try (DirectoryVolumeIo io = open(Optional.empty())) {
            io.delete("a/2");
            io.syncAll(List.of("a/1", "a/2", "b/3"));
            assertThat(forced).containsExactly("a/1", "b/3", "a", "b");
        }
    }

    @Test
    void aSyncOfTheFileSystemTakesThePlaceOfAll() throws IOException {
        List<Path> synced = new ArrayList<>();
        try (DirectoryVolumeIo io = open(Optional.of(new Recorded(synced)))) {
            io.syncAll(List.of("a/1", "a/2", "b/3"));
        }
        assertThat(synced).containsExactly(root.toAbsolutePath());
        assertThat(forced).isEmpty();
    }

    @Test
    void aSyncThatFailsFails() throws IOException {
        try (DirectoryVolumeIo io = open(Optional.of(new Recorded(List.of())))) {
            assertThatThrownBy(() -> io.syncAll(List.of("a/1"))).isInstanceOf(IOException.class);
        }
    }

    /** @param synced gets each directory; when it takes none the sync fails */
    private record Recorded(List<Path> synced) implements FileSystemSync {
        @Override
        public Optional<String> failure() {
            return Optional.empty();
        }

        @Override
        public void sync(Path directory) throws IOException {
            try {
                synced.add(directory);
            } catch (UnsupportedOperationException full) {
                throw new IOException("Input/output error", full);
            }
        }
    }
}

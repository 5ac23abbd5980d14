package io.ecfs.datanode.store.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.NotMountedException;
import io.ecfs.datanode.store.io.ReadOnlyVolumeException;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A volume in a directory: which error of the operating system means what, and bytes that are lent where they lie. */
class DirectoryVolumeIoTest {
    @TempDir
    private Path root;

    private IOException failure; // of the next files that are opened; null: none
    private boolean readOnly;

    private DirectoryVolumeIo open() throws IOException {
        return new DirectoryVolumeIo(root, 2, Optional.empty(), this::channel);
    }

    private FileChannel channel(Path path, OpenOption... options) throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (readOnly && Arrays.asList(options).contains(StandardOpenOption.WRITE)) {
            throw new FileSystemException(path.toString(), null, "Read-only file system");
        }
        return FileChannel.open(path, options);
    }

    private DirectoryVolumeIo withAFile() throws IOException {
        Files.writeString(root.resolve("file"), "hello");
        return open();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Input/output error", "No data available", "Bad message", "Structure needs cleaning"})
    void aBadPlaceOnTheMediumCostsTheFileAndNotTheDisk(String words) throws IOException {
        try (DirectoryVolumeIo io = withAFile()) {
            failure = new IOException(words);
            assertThatThrownBy(() -> io.read("file", 0, ByteBuffer.allocate(1)))
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageContaining("file cannot be read: " + words);
            assertThatThrownBy(() -> io.lend("file", 0, 1)).isInstanceOf(UnreadableFileException.class);
            assertThatThrownBy(() -> io.write("file", 0, ByteBuffer.allocate(1)))
                    .as("a failed write is the disk's")
                    .isExactlyInstanceOf(IOException.class);
        }
    }

    @Test
    void anyOtherErrorIsTheDisks() throws IOException {
        try (DirectoryVolumeIo io = withAFile()) {
            for (String words : new String[] {"Too many open files", null}) {
                failure = new IOException(words);
                assertThatThrownBy(() -> io.read("file", 0, ByteBuffer.allocate(1)))
                        .isSameAs(failure);
                assertThatThrownBy(() -> io.write("file", 0, ByteBuffer.allocate(1)))
                        .isSameAs(failure);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"No space left on device", "Disk quota exceeded"})
    void aDiskWithoutRoomIsFull(String words) throws IOException {
        try (DirectoryVolumeIo io = withAFile()) {
            failure = new IOException(words);
            assertThatThrownBy(() -> io.create("new")).isInstanceOf(VolumeFullException.class);
            assertThatThrownBy(() -> io.write("file", 0, ByteBuffer.allocate(1)))
                    .isInstanceOf(VolumeFullException.class);
            assertThatThrownBy(() -> io.truncate("file", 0)).isInstanceOf(VolumeFullException.class);
        }
    }

    @Test
    void aDiskThatTakesNoChangeIsReadOnlyAndIsRead() throws IOException {
        try (DirectoryVolumeIo io = withAFile()) {
            for (IOException refusal : new IOException[] {
                new IOException("Read-only file system"),
                new IOException("Operation not permitted"),
                new AccessDeniedException("file")
            }) {
                failure = refusal;
                assertThatThrownBy(() -> io.create("new")).isInstanceOf(ReadOnlyVolumeException.class);
            }
            failure = null;
            readOnly = true;
            ByteBuffer into = ByteBuffer.allocate(5);
            assertThat(io.read("file", 0, into)).isEqualTo(5);
            assertThatThrownBy(() -> io.write("file", 0, ByteBuffer.allocate(1)))
                    .isInstanceOf(ReadOnlyVolumeException.class);
            assertThat(Files.readString(root.resolve("file"))).isEqualTo("hello");
        }
    }

    @Test
    void bytesAreBorrowedInPlaceWhenAllAreThere() throws IOException {
        try (DirectoryVolumeIo io = withAFile()) {
            FileSlice slice = io.lend("file", 1, 4).orElseThrow();
            assertThat(slice.offset()).isEqualTo(1);
            assertThat(slice.bytes()).isEqualTo(4);
            io.delete("file");
            ByteBuffer into = ByteBuffer.allocate(4);
            assertThat(slice.file().read(into, slice.offset())).isEqualTo(4);
            assertThat(new String(into.array(), UTF_8)).isEqualTo("ello");
            slice.close();
            assertThat(slice.file().isOpen()).isFalse();
            Files.writeString(root.resolve("short"), "hello");
            assertThat(io.lend("short", 1, 5)).isEmpty();
            FileSlice whole = io.lend("short", 0, 5).orElseThrow();
            io.delete("short");
            assertThat(whole.file().isOpen())
                    .as("the refused loan is over, this one is not")
                    .isTrue();
            whole.close();
            assertThat(whole.file().isOpen()).isFalse();
        }
    }

    @Test
    void otherProcessesFindAFileByItsPathAndInode() throws IOException {
        try (DirectoryVolumeIo io = withAFile()) {
            VolumeIo.LocalFile file = io.local("file").orElseThrow();
            assertThat(file.path())
                    .isEqualTo(root.toAbsolutePath().resolve("file").toString());
            assertThat(file.key()).contains("ino=" + Files.getAttribute(root.resolve("file"), "unix:ino"));
            assertThat(io.describe()).isEqualTo(root.toAbsolutePath().toString());
        }
    }

    @Test
    void aStrayFileWhereADirectoryShouldBeIsLeftAlone() throws IOException {
        try (DirectoryVolumeIo io = withAFile()) {
            assertThat(io.list("file")).isEmpty();
            assertThat(io.list("")).containsExactly("file");
        }
    }

    @Test
    void belowAMountPointThatWasRemovedNothingIsMade() throws IOException {
        Path gone = root.resolve("gone");
        assertThatThrownBy(() -> DirectoryVolumeIo.existing(gone, 2, Optional.empty()))
                .isInstanceOf(NotMountedException.class)
                .hasMessageContaining("gone is not there");
        assertThat(gone).doesNotExist();
        try (DirectoryVolumeIo io = DirectoryVolumeIo.existing(root, 2, Optional.empty())) {
            assertThat(io.list("")).isEmpty();
        }
    }

    @Test
    void closingItClosesItsFilesAndGivesTheLockBack() throws IOException {
        DirectoryVolumeIo io = withAFile();
        io.lock();
        io.lock();
        FileSlice slice = io.lend("file", 0, 5).orElseThrow();
        slice.close();
        assertThat(slice.file().isOpen()).as("for the next call").isTrue();
        io.close();
        assertThat(slice.file().isOpen()).isFalse();
        try (DirectoryVolumeIo next = open()) {
            next.lock();
        }
    }

    @Test
    void atLeastOneFileStaysOpen() {
        assertThatThrownBy(() -> new OpenFiles(0, FileChannel::open)).isInstanceOf(IllegalArgumentException.class);
    }
}

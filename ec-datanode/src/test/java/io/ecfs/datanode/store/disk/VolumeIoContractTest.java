package io.ecfs.datanode.store.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a volume relies on, of a directory on a disk and of the disk in memory that stands for it in simulations. */
class VolumeIoContractTest {
    @TempDir
    private Path root;

    /** Where the files are. */
    private enum Where {
        DIRECTORY,
        MEMORY
    }

    private VolumeIo open(Where where) throws IOException {
        return where == Where.MEMORY
                ? new MemoryVolumeIo("disk", 1 << 20, new Random(1))
                : new DirectoryVolumeIo(root, 2);
    }

    private static String read(VolumeIo io, String file, long offset, int most) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(most);
        int read = io.read(file, offset, into);
        assertThat(into.position()).isEqualTo(read);
        return new String(Arrays.copyOf(into.array(), read), UTF_8);
    }

    private static void write(VolumeIo io, String file, long offset, String text) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(text.getBytes(UTF_8));
        io.write(file, offset, from);
        assertThat(from.hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsReadBackFromAnyPlaceUpToTheEnd(Where where) throws IOException {
        try (VolumeIo io = open(where)) {
            io.create("file");
            assertThat(io.length("file")).hasValue(0);
            write(io, "file", 0, "hello");
            write(io, "file", 4, "!!");
            assertThat(io.length("file")).hasValue(6);
            assertThat(read(io, "file", 0, 6)).isEqualTo("hell!!");
            assertThat(read(io, "file", 2, 3)).isEqualTo("ll!");
            assertThat(read(io, "file", 4, 10)).isEqualTo("!!");
            assertThat(read(io, "file", 6, 10)).isEmpty();
            assertThat(read(io, "file", 60, 10)).isEmpty();
            write(io, "file", 8, "x");
            assertThat(read(io, "file", 6, 10)).isEqualTo("\0\0x");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFileIsCutAndNeverMadeLongerByThat(Where where) throws IOException {
        try (VolumeIo io = open(where)) {
            io.create("file");
            write(io, "file", 0, "hello");
            io.truncate("file", 9);
            assertThat(io.length("file")).hasValue(5);
            io.truncate("file", 2);
            assertThat(read(io, "file", 0, 9)).isEqualTo("he");
            write(io, "file", 4, "o");
            assertThat(read(io, "file", 0, 9)).as("what was cut off is zeros").isEqualTo("he\0\0o");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRenamedFileTakesThePlaceOfWhateverHadTheName(Where where) throws IOException {
        try (VolumeIo io = open(where)) {
            io.createDirectory("a/b");
            io.create("one");
            write(io, "one", 0, "1");
            io.create("a/b/two");
            write(io, "a/b/two", 0, "22");
            io.rename("one", "a/b/two");
            assertThat(io.length("one")).isEmpty();
            assertThat(read(io, "a/b/two", 0, 9)).isEqualTo("1");
            write(io, "a/b/two", 1, "+");
            assertThat(io.length("a/b/two")).hasValue(2);
            assertThatThrownBy(() -> io.rename("one", "three")).isInstanceOf(NoSuchFileException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotThereIsNotFoundAndWhatIsThereIsNotMadeAgain(Where where) throws IOException {
        try (VolumeIo io = open(where)) {
            io.createDirectory("a");
            io.createDirectory("a");
            io.create("a/file");
            assertThatThrownBy(() -> io.create("a/file")).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> io.create("b/file")).isInstanceOf(NoSuchFileException.class);
            io.delete("a/file");
            assertThat(io.length("a/file")).isEmpty();
            assertThatThrownBy(() -> io.delete("a/file")).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> read(io, "a/file", 0, 1)).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> write(io, "a/file", 0, "x")).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> io.truncate("a/file", 0)).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> io.sync("a/file")).isInstanceOf(NoSuchFileException.class);
            io.create("a/file");
            assertThat(io.length("a/file")).as("made anew").hasValue(0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDirectoryListsItsOwnNamesInOrder(Where where) throws IOException {
        try (VolumeIo io = open(where)) {
            io.createDirectory("a/c/d");
            io.createDirectory("ab");
            for (String file : List.of("a/z", "a/b", "a/c/x", "ab/y")) {
                io.create(file);
            }
            assertThat(io.list("a")).containsExactly("b", "c", "z");
            assertThat(io.list("")).containsExactly("a", "ab");
            assertThat(io.list("a/c/d")).isEmpty();
            assertThat(io.list("none")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneAtATimeHasTheLockUntilItCloses(Where where) throws IOException {
        VolumeIo io = open(where);
        io.lock();
        VolumeIo second = where == Where.MEMORY ? io : open(where);
        assertThatThrownBy(second::lock)
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("in use by another datanode");
        io.close();
        io.close();
        second.lock();
        second.close();
    }

    @ParameterizedTest
    @EnumSource
    void thereIsAtMostAsMuchFreeAsThereIsRoom(Where where) throws IOException {
        try (VolumeIo io = open(where)) {
            io.create("file");
            VolumeIo.Space before = io.space();
            assertThat(before.freeBytes()).isBetween(1L, before.capacityBytes());
            if (where == Where.MEMORY) {
                write(io, "file", 0, "hello");
                assertThat(io.space()).isEqualTo(new VolumeIo.Space(1 << 20, (1 << 20) - 5));
            }
        }
    }
}

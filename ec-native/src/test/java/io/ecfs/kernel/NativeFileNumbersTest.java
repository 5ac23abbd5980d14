package io.ecfs.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.FileNumbers;
import io.ecfs.env.real.FileNumbersFound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFileNumbersTest {
    private static final FileNumbers NUMBERS = FileNumbersFound.find().orElseThrow();

    @TempDir
    private Path directory;

    @Test
    void aNumberIsReadAtAnyPositionAndWrittenNowhere() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "twelve bytes");
        int number = NUMBERS.openToRead(file);
        Path open = Path.of("/proc/self/fd/" + number);
        assertThat(Files.readSymbolicLink(open)).isEqualTo(file.toRealPath());
        List<String> flags = Files.readAllLines(Path.of("/proc/self/fdinfo/" + number)).stream()
                .filter(line -> line.startsWith("flags:"))
                .toList();
        try (FileChannel channel = NUMBERS.adopt(number)) {
            ByteBuffer some = ByteBuffer.allocate(5);
            assertThat(channel.read(some, 7)).isEqualTo(5);
            assertThat(new String(some.array(), StandardCharsets.US_ASCII)).isEqualTo("bytes");
            assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1)))
                    .isInstanceOf(NonWritableChannelException.class);
            assertThat(flags).singleElement().asString().endsWith("0"); // O_RDONLY
        }
        assertThat(Files.exists(open)).isFalse();
    }

    @Test
    void whatIsNoRegularFileIsRefused() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        Path link = Files.createSymbolicLink(
                directory.resolve("link"), Files.writeString(directory.resolve("file"), "bytes"));
        for (Path path : List.of(fifo, link, directory, directory.resolve("nothing"))) {
            assertThatThrownBy(() -> NUMBERS.openToRead(path))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot open " + path);
        }
        assertThatThrownBy(() -> NUMBERS.adopt(1 << 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Bad file descriptor");
    }
}

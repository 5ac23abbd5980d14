package io.ecfs.bench.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTraceTest {
    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("pages.tsv"), text);
    }

    private void assertRefused(String text, String why) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> AccessTrace.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(why);
    }

    @Test
    void itsRequestsComeInOrderAndAgainFromTheBeginning() throws IOException {
        AccessTrace trace =
                AccessTrace.read(file("# of a day\nA.jpg\t500\tB c.png\t70\n\nB c.png\t70\tD\t9\tB c.png\t70\n"));
        assertThat(trace.blocks()).isEqualTo(3);
        Requests requests = trace.replayed();
        assertThat(requests.blockBytes()).containsExactly(500, 70, 9);
        SplittableRandom unused = new SplittableRandom(1);
        for (int round = 0; round < 2; round++) {
            assertThat(requests.next(unused)).containsExactly(0, 1);
            requests.skew();
            assertThat(requests.next(unused)).as("each block once").containsExactly(1, 2);
        }
    }

    @Test
    void whatIsNoTraceIsRefusedWithItsLine() throws IOException {
        assertRefused("", "has no request");
        assertRefused("# nothing\n\n", "has no request");
        assertRefused("A\t500\nB\n", "line 2: a name without bytes");
        assertRefused("A\t500\tB\t\n", "line 1: bytes are from 2 to 1073741824, not \"\"");
        assertRefused("A\t1\n", "not \"1\"");
        assertRefused("A\t9999999999\n", "not \"9999999999\"");
        assertRefused("A\t500\nA\t501\n", "line 2: A has 501 bytes, and 500 in an earlier line");
        assertThatThrownBy(() -> AccessTrace.read(directory.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }
}

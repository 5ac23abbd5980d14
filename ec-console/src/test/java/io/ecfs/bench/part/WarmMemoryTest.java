package io.ecfs.bench.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmMemoryTest {
    @TempDir
    private Path directory;

    @Test
    void whatIsTakenIsAsLargeAsWhatIsWrittenAndIsGivenBack() throws IOException {
        assertThat(WarmMemory.in(Optional.of(directory)).warm((3 << 20) + 5)).isEqualTo((3 << 20) + 5);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void nothingIsTakenWhenItIsOffOrNothingIsWritten() throws IOException {
        assertThat(WarmMemory.OFF.warm(1 << 20)).isZero();
        assertThat(WarmMemory.in(Optional.of(directory)).warm(0)).isZero();
    }

    /** A benchmark without warm memory would not compare: it ends instead. */
    @Test
    void aDirectoryThatCannotBeWrittenEndsTheRun() {
        WarmMemory warm = WarmMemory.in(Optional.of(directory.resolve("missing")));
        assertThatThrownBy(() -> warm.warm(1)).isInstanceOf(NoSuchFileException.class);
    }
}

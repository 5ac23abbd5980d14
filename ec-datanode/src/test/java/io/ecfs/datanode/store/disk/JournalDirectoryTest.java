package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigException;
import io.ecfs.config.ConfigReader;
import io.ecfs.datanode.server.DatanodeConfig.JournalSettings;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalDirectoryTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private Path directory;

    private static JournalSettings settings(String... values) {
        return ConfigReader.read(JournalSettings.class, "test", "", List.of(values));
    }

    @Test
    void onlyTheDirectoryMustBeSet() {
        assertThat(settings("directory=/journals"))
                .isEqualTo(new JournalSettings(Path.of("/journals"), Optional.empty(), Optional.empty()));
        assertThat(settings("directory=/journals", "bytes=1g", "direct=true"))
                .isEqualTo(new JournalSettings(Path.of("/journals"), Optional.of(GIB), Optional.of(true)));
        assertThatThrownBy(() -> settings("bytes=1g"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("directory must be given");
        assertThatThrownBy(() -> settings("directory=/journals", "bytes=1m"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("store.journal.bytes must be at least 268435456, got 1048576");
        assertThatThrownBy(() -> settings("directory=/journals", "direct=perhaps"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("direct: expected true or false, got 'perhaps'");
    }

    @Test
    void aJournalTakesFourGibibytesOrHalfOfItsShare() throws IOException {
        JournalDirectory journals = new JournalDirectory(directory, true);
        assertThat(journals.bytes(Optional.empty(), 100 * GIB)).isEqualTo(4 * GIB);
        assertThat(journals.bytes(Optional.empty(), 3 * GIB)).isEqualTo(3 * GIB / 2);
        assertThat(journals.bytes(Optional.of(5 * GIB), 6 * GIB)).isEqualTo(5 * GIB);
        assertThat(journals.bytes(Optional.of(GIB / 4), GIB / 4)).isEqualTo(GIB / 4);
    }

    @Test
    void aFileSystemThatIsTooSmallIsRefusedInOneLine() {
        JournalDirectory journals = new JournalDirectory(directory, true);
        assertThatThrownBy(() -> journals.bytes(Optional.of(5 * GIB), 4 * GIB))
                .isInstanceOf(EcfsException.class)
                .hasMessageMatching("store.journal.bytes is 5368709120 for each volume, .* 4294967296: at most that");
        assertThatThrownBy(() -> journals.bytes(Optional.empty(), GIB / 4))
                .isInstanceOf(EcfsException.class)
                .hasMessageMatching("store.journal.directory .* set store.journal.bytes to 268435456");
    }

    @Test
    void memoryHasNoPageCacheToWritePast() {
        JournalDirectory journals = new JournalDirectory(directory, false);
        assertThatThrownBy(() -> journals.of("uuid", true))
                .isInstanceOf(EcfsException.class)
                .hasMessageEndingWith("is in memory: set it to false");
    }
}

package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigException;
import io.ecfs.config.ConfigReader;
import io.ecfs.datanode.server.DatanodeConfig.JournalSettings;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
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

    @Test
    void theJournalOfAReplacedVolumeIsRemovedAndNoOther() throws IOException {
        JournalDirectory journals = new JournalDirectory(directory, true);
        String known = new UUID(1, 1).toString();
        String replaced = new UUID(1, 2).toString();
        String moved = new UUID(1, 3).toString();
        String unknown = new UUID(1, 4).toString();
        for (String uuid : List.of(known, replaced, moved, unknown)) {
            try (VolumeIo journal = journals.of(uuid, false)) {
                journal.create("0000000000000001.journal");
            }
        }
        Files.createDirectory(directory.resolve("other"));
        journals.tidy(Set.of(known, moved), Set.of(replaced, moved, "other"));
        assertThat(directory.resolve(replaced)).doesNotExist();
        for (String uuid : List.of(known, moved, unknown)) {
            assertThat(directory.resolve(uuid).resolve("0000000000000001.journal"))
                    .exists();
        }
        assertThat(directory.resolve("other")).exists();
    }

    @Test
    void aJournalThatIsInUseStays() throws IOException {
        JournalDirectory journals = new JournalDirectory(directory, true);
        String uuid = new UUID(1, 2).toString();
        try (VolumeIo journal = journals.of(uuid, false)) {
            journal.lock();
            journal.create("0000000000000001.journal");
            journals.tidy(Set.of(), Set.of(uuid));
            assertThat(journal.length("0000000000000001.journal")).isPresent();
        }
    }
}

package io.ecfs.console.web.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.view.Health.Level;
import io.ecfs.console.view.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerFileTest {
    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("pager.json");
    }

    @Test
    void whatWasWrittenIsRead() throws IOException {
        Ledger ledger = new Ledger("c1", 9, Map.of(7L, Severity.CRITICAL, 12L, Severity.INFO), Level.WARNING);
        new LedgerFile(file()).write(Ledger.NONE);
        new LedgerFile(file()).write(ledger);
        assertThat(new LedgerFile(file()).read()).isEqualTo(ledger);
        assertThat(directory).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void itIsForItsOwnerAlone() throws IOException {
        new LedgerFile(file()).write(Ledger.NONE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void aReceiverWithoutAFileIsNew() {
        assertThat(new LedgerFile(file()).read()).isEqualTo(Ledger.NONE);
    }

    @Test
    void aReceiverWithADamagedFileIsNew() throws IOException {
        for (String text : new String[] {"", "{\"cluster\":\"c1\",\"la", "{\"open\":{\"x\":\"INFO\"}}", "{}"}) {
            Files.writeString(file(), text);
            assertThat(new LedgerFile(file()).read()).as(text).isEqualTo(Ledger.NONE);
        }
    }
}

package io.ecfs.namenode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogFileTest {
    @TempDir
    private Path directory;

    @Test
    void theFileIsRotatedBySizeAndTheOldestGoes() throws IOException {
        Path file = directory.resolve("audit.log");
        try (AuditLogFile log = new AuditLogFile(file, 4, 2)) {
            for (String line : new String[] {"one\n", "two\n", "three\n", "four\n"}) {
                log.write(line);
            }
        }
        assertThat(file).hasContent("four\n");
        assertThat(directory.resolve("audit.log.1")).hasContent("three\n");
        assertThat(directory.resolve("audit.log.2")).hasContent("two\n");
        assertThat(directory.resolve("audit.log.3")).doesNotExist();
    }

    /** As with {@code chattr +a}: the file itself cannot be renamed. */
    @Test
    void aRotationThatFailsAtItsEndLosesNoOlderFile() throws IOException {
        Path file = directory.resolve("audit.log");
        Path blocked = directory.resolve("audit.log.1");
        try (AuditLogFile log = new AuditLogFile(file, 4, 4)) {
            for (String line : new String[] {"one\n", "two\n", "three\n"}) {
                log.write(line);
            }
            Files.move(blocked, directory.resolve("audit.log.2"), StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(directory.resolve("audit.log.3"), "one\n");
            log.write("four\n");
        }
        assertThat(directory.resolve("audit.log.3")).hasContent("one\n");
        assertThat(directory.resolve("audit.log.2")).hasContent("two\n");
        assertThat(blocked).hasContent("three\n");
    }

    @Test
    void aRestartGoesOnInTheSameFile() throws IOException {
        Path file = directory.resolve("audit.log");
        for (String line : new String[] {"one\n", "two\n"}) {
            try (AuditLogFile log = new AuditLogFile(file, 100, 2)) {
                log.write(line);
            }
        }
        assertThat(file).hasContent("one\ntwo\n");
    }

    @Test
    void aFileThatWasMovedAwayIsMadeAnew() throws IOException {
        Path file = directory.resolve("audit.log");
        try (AuditLogFile log = new AuditLogFile(file, 100, 2)) {
            log.write("one\n");
            Files.move(file, directory.resolve("taken"));
            log.write("two\n");
        }
        assertThat(file).hasContent("two\n");
    }

    @Test
    void onlyItsOwnerReadsTheFile() throws IOException {
        Path file = directory.resolve("audit.log");
        new AuditLogFile(file, 100, 2).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    /** The kernel's own full disk. */
    @Test
    void aFullDiskIsAnError() throws IOException {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.isWritable(full));
        Path file = Files.createSymbolicLink(directory.resolve("audit.log"), full);
        try (AuditLogFile log = new AuditLogFile(file, 100, 2)) {
            assertThatThrownBy(() -> log.write("one\n"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
        }
    }
}

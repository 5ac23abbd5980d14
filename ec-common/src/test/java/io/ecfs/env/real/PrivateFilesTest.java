package io.ecfs.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateFilesTest {
    @TempDir
    private Path directory;

    private Path home(String mode) throws IOException {
        Path home = Files.createDirectory(directory.resolve("home"));
        return Files.setPosixFilePermissions(home, PosixFilePermissions.fromString(mode));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void whatIsMadeIsItsOwnersAlone() throws IOException {
        Path home = directory.resolve("above/home");
        PrivateFiles.createDirectory(home);
        assertThat(mode(home)).isEqualTo("rwx------");
        Path file = home.resolve("file");
        Files.createFile(file, PrivateFiles.fileMode(file));
        assertThat(mode(file)).isEqualTo("rw-------");
        PrivateFiles.createDirectory(home);
        PrivateFiles.denyOthers(home);
        assertThat(mode(home)).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxr-xr-x", "rwxr-x---", "rwx--x--x", "rwx---r--"})
    void whatOthersCouldOnlyReadIsClosed(String mode) throws IOException {
        Path home = home(mode);
        PrivateFiles.denyOthers(home);
        assertThat(mode(home)).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwxrwxr-x", "rwx----w-", "rwxrwxrwx"})
    void whatOthersCouldWriteIsRefusedWithTheCommandThatMendsIt(String mode) throws IOException {
        Path home = home(mode);
        assertThatThrownBy(() -> PrivateFiles.denyOthers(home))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
                .hasMessageContainingAll(mode, "run 'chmod 700 " + home + "'")
                .message()
                .hasLineCount(1);
        assertThat(mode(home)).as("nothing was changed").isEqualTo(mode);
    }
}

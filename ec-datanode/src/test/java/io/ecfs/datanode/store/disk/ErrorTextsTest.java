package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErrorTextsTest {
    @TempDir
    private Path directory;

    @Test
    void theWordsOfThisMachineAreKnownAndNothingIsLeftOfAskingForThem() throws IOException {
        ErrorTexts.requireKnown(directory);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void theWordsOfAnotherLocaleOrLibraryAreRefusedInOneLine() {
        refused("Is a directory", new IOException("Ist ein Verzeichnis"), "'Ist ein Verzeichnis' for 'Is a directory'");
        refused(
                "File name too long",
                new FileSystemException("nnn", null, "Filename too long"),
                "'Filename too long' for 'File name too long'");
        refused("Is a directory", new IOException((String) null), "'null' for 'Is a directory'");
        assertThatThrownBy(() -> ErrorTexts.require("Is a directory", () -> {}))
                .hasMessageContaining("'no error' for 'Is a directory'");
    }

    private static void refused(String expected, IOException failure, String says) {
        assertThatThrownBy(() -> ErrorTexts.require(expected, () -> {
                    throw failure;
                }))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContainingAll(says, "LC_MESSAGES=C and without LC_ALL")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }
}

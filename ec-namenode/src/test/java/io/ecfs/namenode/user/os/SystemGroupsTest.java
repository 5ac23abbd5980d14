package io.ecfs.namenode.user.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.namenode.user.GroupSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SystemGroupsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @Test
    void theSystemKnowsItsUsersAndNoOthers() throws IOException {
        assertThat(new SystemGroups().groupsOf("root")).contains("root");
        assertThat(new SystemGroups().groupsOf("nobody-of-this-name")).isEmpty();
    }

    @Test
    void theNameIsOneArgumentAndNoShellReadsIt() throws IOException {
        Path made = directory.resolve("made");
        SystemGroups echo = new SystemGroups(List.of("echo", "--"), PATIENCE);
        assertThat(echo.groupsOf("$(touch " + made + ");`touch " + made + "`")).startsWith("--", "$(touch");
        assertThat(made).doesNotExist();
    }

    @Test
    @Timeout(30)
    void aCommandThatDoesNotEndIsGivenUp() {
        SystemGroups hung = new SystemGroups(List.of("tail", "-f", "/dev/null"), Duration.ofMillis(50));
        assertThatThrownBy(() -> hung.groupsOf("/dev/null")).hasMessageContaining("tail did not end within 50 ms");
    }

    @Test
    void settingsComeBeforeTheFileAndTheFileBeforeTheSystem() throws IOException {
        Path file = Files.writeString(directory.resolve("groups"), "ada=file\nben=file\n");
        GroupSource source = new GroupSettings(Map.of("ada", List.of("settings")), Optional.of(file), true).open();
        assertThat(source.groupsOf("ada")).containsExactly("settings");
        assertThat(source.groupsOf("ben")).containsExactly("file");
        assertThat(source.groupsOf("root")).contains("root");
        Files.writeString(file, "ben=changed\nroot=\n");
        assertThat(source.groupsOf("ben")).containsExactly("changed");
        assertThat(source.groupsOf("root")).isEmpty();
        assertThat(new GroupSettings(Map.of(), Optional.empty(), false).open().groupsOf("root"))
                .isEmpty();
    }

    @Test
    void aFileThatIsWrongOrMissingIsRefusedAtTheStart() throws IOException {
        Path file = Files.writeString(directory.resolve("groups"), "ada\n");
        assertThatThrownBy(() -> new GroupSettings(Map.of(), Optional.of(file), true).open())
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("groups.file " + file + ": line 1: ");
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> new GroupSettings(Map.of(), Optional.of(missing), true).open())
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("groups.file " + missing + " cannot be read");
    }
}

package io.ecfs.namenode.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of a namenode's log and state that rotted while it was down. */
@Timeout(300)
class DamagedDirectoryTest {
    private static final String DAMAGED = "nn2";
    private static final int ENTRIES = 150;

    @TempDir
    private Path directory;

    private Namenodes namenodes;

    private interface Damage {
        void on(Path home) throws IOException;
    }

    private static final Map<String, Damage> DAMAGES = new LinkedHashMap<>();

    static {
        DAMAGES.put("a closed segment of the log", home -> flip(file(home.resolve("log"), "log_\\d+-\\d+")));
        DAMAGES.put(
                "the open segment of the log, in its middle",
                home -> flipAt(file(home.resolve("log"), "log_inprogress_\\d+"), 200));
        DAMAGES.put("the list of the database's files", home -> flip(file(home.resolve("state"), "MANIFEST-\\d+")));
        DAMAGES.put("a table of the database that is short", home -> cut(file(home.resolve("state"), ".*\\.sst")));
        DAMAGES.put(
                "a table of the database that is gone", home -> Files.delete(file(home.resolve("state"), ".*\\.sst")));
        DAMAGES.put("every table of the database", home -> {
            for (Path table : files(home.resolve("state"), ".*\\.sst")) {
                for (int at = 0; at < Files.size(table); at += 64) {
                    flipAt(table, at);
                }
            }
        });
        DAMAGES.put("the name of the database", home -> Files.writeString(home.resolve("state/CURRENT"), "db-x"));
    }

    @BeforeEach
    void begin() throws EcfsException {
        namenodes = new Namenodes(directory);
        namenodes.tuning = ConfigReader.with(
                namenodes.tuning, List.of("segmentBytes=16KiB", "checkpointEvery=1000", "laggingEntries=10"));
    }

    @AfterEach
    void stop() {
        namenodes.close();
    }

    // Alluxio #14045, #12356, #15677
    @Test
    void aDamagedNamenodeFailsItsStartAndIsRestoredFromTheOthers() throws Exception {
        namenodes.found(3);
        for (int i = 1; i <= ENTRIES; i++) {
            namenodes.mkdirs(i, "/" + "n".repeat(200) + i);
        }
        namenodes.awaitApplied(DAMAGED);
        namenodes.stop(DAMAGED);
        Path home = directory.resolve(DAMAGED);
        Path sound = directory.resolve("sound");
        Files.move(home, sound);
        for (Map.Entry<String, Damage> damage : DAMAGES.entrySet()) {
            DirectoryTree.delete(home);
            copy(sound, home);
            damage.getValue().on(home);
            assertThatThrownBy(() -> namenodes.start(DAMAGED))
                    .as(damage.getKey())
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED))
                    .hasMessageContainingAll(DAMAGED, "away and start it again", "restore a backup")
                    .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
            assertThat(namenodes.has("/" + "n".repeat(200) + 1)).isTrue();
        }
        DirectoryTree.delete(home);
        namenodes.start(DAMAGED);
        namenodes.awaitJoined(DAMAGED);
        namenodes.stop("nn1");
        namenodes.mkdirs(ENTRIES + 1, "/after");
        assertThat(namenodes.has("/" + "n".repeat(200) + ENTRIES)).isTrue();
    }

    private static List<Path> files(Path root, String name) throws IOException {
        return DirectoryTree.files(root).stream()
                .filter(file -> file.getFileName().toString().matches(name))
                .toList();
    }

    private static Path file(Path root, String name) throws IOException {
        return files(root, name).get(0);
    }

    private static void flip(Path file) throws IOException {
        flipAt(file, (int) Files.size(file) / 2);
    }

    private static void flipAt(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 0x10;
        Files.write(file, bytes);
    }

    private static void cut(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : DirectoryTree.files(from)) {
            Path target = to.resolve(from.relativize(file));
            Files.createDirectories(target.getParent());
            Files.copy(file, target);
        }
    }
}

package io.ecfs.namenode.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.ManualTime;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.disk.BackupDirectory;
import io.ecfs.namenode.store.disk.BackupManifest;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups of running namenodes, and what a restore makes of them, on real logs and disks. */
@Timeout(300)
class BackupTest {
    @TempDir
    private Path directory;

    private Namenodes namenodes;

    @BeforeEach
    void begin() throws EcfsException {
        namenodes = new Namenodes(directory);
    }

    @AfterEach
    void end() {
        namenodes.close();
    }

    @Test
    void threeNamenodesAreRestoredFromABackup() throws Exception {
        namenodes.found(3);
        namenodes.mkdirs(1, "/before");
        BackupManifest taken = backup("first");
        assertThat(taken).isEqualTo(BackupDirectory.read(place("first")));
        assertThat(taken.cluster()).isEqualTo(namenodes.cluster);
        assertThat(taken.files()).isNotEmpty();
        namenodes.mkdirs(2, "/after");
        namenodes.stopAll();
        namenodes.ids().forEach(this::moveAway);

        Restore.Restored restored = restore("nn1", "first");
        assertThat(restored.epoch()).isEqualTo(1);
        assertThat(restored.open()).isEmpty();
        assertThat(restored.log().clusterId()).isEqualTo(taken.log().clusterId());
        assertThat(restored.log().log()).isNotEqualTo(taken.log().log());
        namenodes.startAll();
        assertThat(namenodes.has("/before")).isTrue();
        assertThat(namenodes.has("/after")).isFalse();
        namenodes.mkdirs(3, "/since");
        assertThat(namenodes.clusterIds()).containsOnly(taken.log().clusterId());

        BackupManifest second = backup("second");
        assertThat(second.log()).isEqualTo(restored.log());
        assertThat(second.position().index()).isGreaterThan(taken.position().index());
        assertThat(second.position().term())
                .as("above what the lost log may have come to")
                .isGreaterThan(taken.position().term() + 100_000);
        namenodes.awaitJoined("nn0");
        namenodes.awaitJoined("nn2");
        namenodes.stop("nn1"); // the others have all of it
        assertThat(namenodes.has("/before")).isTrue();
        assertThat(namenodes.has("/since")).isTrue();
        namenodes.mkdirs(4, "/still");

        DirectoryTree.delete(directory.resolve("nn1"));
        refused(
                () -> restore("nn1", "second"),
                ErrorCode.ALREADY_EXISTS,
                "has log " + restored.log().log(),
                "stop all namenodes");
        assertThat(directory.resolve("nn1")).doesNotExist();
    }

    /**
     * A namenode of the lost log comes back beside the restored one: none of the two logs goes on before an operator
     * decides.
     */
    @Test
    void aNamenodeThatStillHasTheOldLogStaysOutsideOfTheNewOne() throws Exception {
        namenodes.found(3);
        namenodes.mkdirs(1, "/before");
        backup("first");
        namenodes.mkdirs(2, "/after");
        namenodes.stopAll();
        namenodes.ids().forEach(this::moveAway);
        restore("nn0", "first");
        namenodes.start("nn0");
        Files.move(directory.resolve("away-nn2"), directory.resolve("nn2"));
        namenodes.start("nn2");
        namenodes.start("nn1");
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> namenodes.waitsFor("nn1").contains("nn2"));
        namenodes.stop("nn2");
        DirectoryTree.delete(directory.resolve("nn2"));
        namenodes.start("nn2");
        assertThat(namenodes.has("/before")).isTrue();
        assertThat(namenodes.has("/after")).isFalse();
        namenodes.mkdirs(3, "/since");
    }

    @Test
    void whatIsWrongWithABackupIsSaidInOneLineAndNothingIsChanged() throws Exception {
        namenodes.found(1);
        namenodes.mkdirs(1, "/before");
        BackupManifest taken = backup("good");
        namenodes.stopAll();
        moveAway("nn0");
        Path file = taken.files().stream()
                .filter(its -> its.name().endsWith(".sst"))
                .map(its -> Path.of("state", its.name()))
                .findFirst()
                .orElseThrow();

        Path flipped = copy("flipped");
        byte[] bytes = Files.readAllBytes(flipped.resolve(file));
        bytes[bytes.length / 2] ^= 1;
        Files.write(flipped.resolve(file), bytes);
        damaged("flipped", file + " has other bytes");
        Path cut = copy("cut");
        Files.write(cut.resolve(file), new byte[10]);
        damaged("cut", file + " has 10 bytes");
        Path lacking = copy("lacking");
        Files.delete(lacking.resolve(file));
        damaged("lacking", file + " is missing");
        Path mixed = copy("mixed");
        Files.writeString(mixed.resolve("state/000999.sst"), "of another backup");
        damaged("mixed", "000999.sst is no part of it");
        Path manifest = copy("manifest");
        String text = Files.readString(manifest.resolve("BACKUP"));
        Files.writeString(manifest.resolve("BACKUP"), text.replaceFirst("level=", "level=1"));
        damaged("manifest", "BACKUP is damaged");
        rewrite("later", text, "level=" + FeatureLevel.RELEASE + "\n", "level=99\n");
        refused(() -> restore("nn0", "later"), ErrorCode.INCOMPATIBLE_VERSION, "feature level 99", "level 99 or above");
        rewrite("form", text, "version=1\n", "version=7\n");
        refused(() -> restore("nn0", "form"), ErrorCode.INCOMPATIBLE_VERSION, "version 7", "the release that wrote it");
        rewrite("escape", text, " " + file.getFileName() + "\n", " ../../stolen\n");
        damaged("escape", "it names a file '../../stolen'");
        refused(() -> restore("nn0", "nowhere"), ErrorCode.NOT_FOUND, "holds no backup");
        namenodes.cluster = "another";
        refused(
                () -> restore("nn0", "good"),
                ErrorCode.WRONG_CLUSTER,
                "of cluster tested",
                "the configuration is of another");
        assertThat(directory.resolve("nn0"))
                .satisfiesAnyOf(home -> assertThat(home).doesNotExist(), home -> {
                    assertThat(home.resolve("state")).doesNotExist();
                    assertThat(home.resolve("log")).doesNotExist();
                });

        namenodes.cluster = "tested";
        restore("nn0", "good");
        namenodes.startAll();
        assertThat(namenodes.has("/before")).isTrue();
    }

    @Test
    void nothingIsRestoredOverANamenodeThatRunsOrHasAState() throws Exception {
        namenodes.found(1);
        namenodes.mkdirs(1, "/before");
        backup("old");
        namenodes.mkdirs(2, "/after");
        refused(() -> restore("nn0", "old"), ErrorCode.BUSY, "is used by another process");
        namenodes.stopAll();
        Map<Path, Long> before = sizes("nn0");
        refused(
                () -> restore("nn0", "old"),
                ErrorCode.ALREADY_EXISTS,
                "holds log",
                "up to entry",
                "the backup ends at entry",
                "nothing was changed");
        assertThat(sizes("nn0").keySet()).containsAll(before.keySet());
        namenodes.startAll();
        assertThat(namenodes.has("/after")).isTrue();
    }

    @Test
    void aRestoreThatBrokeOffIsRefusedUntilItIsDoneAgain() throws Exception {
        namenodes.found(1);
        namenodes.mkdirs(1, "/before");
        backup("good");
        namenodes.stopAll();
        moveAway("nn0");
        restore("nn0", "good");
        for (String left : List.of("all but the last step", "half of the state", "the first step alone")) {
            Path home = directory.resolve("nn0");
            Files.createDirectories(home.resolve("RESTORING/room/state"));
            if (left.startsWith("half")) {
                DirectoryTree.delete(home.resolve("log"));
                Files.delete(home.resolve("state/CURRENT"));
            } else if (left.startsWith("the first")) {
                DirectoryTree.delete(home.resolve("log"));
                DirectoryTree.delete(home.resolve("state"));
            }
            for (ThrowingCallable use : List.<ThrowingCallable>of(
                    () -> namenodes.start("nn0"),
                    () -> Formatting.format(RealEnvironment.open(), namenodes.config("nn0")))) {
                refused(use, ErrorCode.MALFORMED, "a restore into", "broke off", "'ecfs namenode restore' again");
            }
            refused(() -> restore("nn0", "nowhere"), ErrorCode.NOT_FOUND, "holds no backup");
            refused(() -> namenodes.start("nn0"), ErrorCode.MALFORMED, "broke off");
            restore("nn0", "good");
            assertThat(home.resolve("RESTORING")).doesNotExist();
            namenodes.startAll();
            assertThat(namenodes.has("/before")).as(left).isTrue();
            namenodes.stopAll();
        }
    }

    /** Datanodes have met the leaders of the first restore, and take no orders of earlier terms. */
    @Test
    void aSecondRestoreBeginsAboveTheTermsOfTheFirst() throws Exception {
        namenodes.found(1);
        BackupManifest backup = backup("good");
        namenodes.stopAll();
        List<Long> terms = new ArrayList<>();
        for (String day : List.of(
                "2026-11-23T00:00:00Z", "2026-11-23T00:01:00Z", "2020-01-02T00:00:00Z", "2300-01-01T00:00:00Z")) {
            DirectoryTree.delete(directory.resolve("nn0"));
            ManualTime time = new ManualTime(1);
            time.advance(Duration.ofMillis(Instant.parse(day).toEpochMilli() - time.epochMillis()));
            Restore.restore(time.environment(), namenodes.config("nn0"), place("good"));
            try (RocksStore store = new RocksStore(directory.resolve("nn0/state"), RocksSettings.DEFAULT)) {
                terms.add(new MetadataState(store).applied().term());
            }
        }
        long seconds = Duration.between(Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"))
                .toSeconds();
        assertThat(terms)
                .containsExactly(seconds, seconds + 60, backup.position().term() + (1 << 18), (long) (1 << 30));
    }

    @Test
    void aBackupIsRefusedWithWhatToDo() throws Exception {
        namenodes.found(3);
        namenodes.mkdirs(1, "/before");
        Files.createDirectory(place("empty"));
        backup("empty");
        refused(() -> backup("empty"), ErrorCode.ALREADY_EXISTS, "not an empty directory", "nothing was changed");
        refused(() -> backup("not/there"), ErrorCode.NOT_FOUND, "is not there: create it, or mount");
        Files.createDirectory(place("half.unfinished"));
        refused(() -> backup("half"), ErrorCode.ALREADY_EXISTS, "another backup is being written", "remove it");
        refused(
                () -> Backup.take(RealEnvironment.open(), namenodes.config("nn0"), Optional.of("nn9"), place("x")),
                ErrorCode.INVALID_ARGUMENT,
                "no namenode nn9",
                "nn0, nn1, nn2");

        namenodes.stop("nn1");
        backup("of two");
        namenodes.stop("nn2");
        refused(() -> backup("of one"), ErrorCode.UNREACHABLE, "a majority", "nn1 (", "--from nn0");
        Backup.take(RealEnvironment.open(), namenodes.config("nn0"), Optional.of("nn0"), place("of one"));
        namenodes.stopAll();
        refused(() -> backup("of none"), ErrorCode.UNREACHABLE, "no answer from nn0 (");
        assertThat(place("x")).doesNotExist();
        assertThat(place("x.unfinished")).doesNotExist();
        assertThat(place("of none")).doesNotExist();
        assertThat(place("of none.unfinished")).doesNotExist();
    }

    private Path place(String name) {
        return directory.resolve("backups-" + name);
    }

    private BackupManifest backup(String name) throws IOException {
        return Backup.take(RealEnvironment.open(), namenodes.config("nn0"), Optional.empty(), place(name));
    }

    private Restore.Restored restore(String id, String name) throws IOException {
        return Restore.restore(RealEnvironment.open(), namenodes.config(id), place(name));
    }

    private void moveAway(String id) {
        try {
            Files.move(directory.resolve(id), directory.resolve("away-" + id));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path copy(String name) throws IOException {
        Path copy = place(name);
        for (Path file : DirectoryTree.files(place("good"))) {
            Path to = copy.resolve(place("good").relativize(file));
            Files.createDirectories(to.getParent());
            Files.copy(file, to);
        }
        return copy;
    }

    /** A description with right checksums that says something else. */
    private void rewrite(String name, String text, String from, String to) throws IOException {
        String body = text.substring(0, text.lastIndexOf("crc32c=")).replace(from, to);
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        Files.writeString(copy(name).resolve("BACKUP"), body + "crc32c=" + Long.toHexString(crc.getValue()) + "\n");
    }

    private void damaged(String name, String says) {
        refused(() -> restore("nn0", name), ErrorCode.MALFORMED, says, "nothing was changed");
    }

    private static void refused(ThrowingCallable call, ErrorCode code, String... says) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(says)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    private Map<Path, Long> sizes(String id) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        for (Path file : DirectoryTree.files(directory.resolve(id).resolve("log"))) {
            sizes.put(file, Files.size(file));
        }
        return sizes;
    }
}

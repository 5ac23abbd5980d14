package io.ecfs.namenode.log.ratis.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.Clock;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotReply.LogDescription;
import io.ecfs.message.snapshot.SnapshotReply.Manifest;
import io.ecfs.message.snapshot.SnapshotRequest.CloseSnapshot;
import io.ecfs.message.snapshot.SnapshotRequest.OpenSnapshot;
import io.ecfs.message.snapshot.SnapshotRequest.ReadSnapshot;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.ratis.LogCluster;
import io.ecfs.namenode.log.ratis.TracedFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints on disk, their server, and the download from it, without a log. */
final class CheckpointsTest {
    @TempDir
    Path root;

    private final AtomicLong nanos = new AtomicLong();
    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    };

    private Checkpoints open() throws IOException {
        return new Checkpoints(root.resolve("checkpoints"), 2, Duration.ofSeconds(60), Duration.ofMinutes(10), clock);
    }

    private static void make(Checkpoints checkpoints, long index) throws IOException {
        Position position = new Position(1, index);
        checkpoints.create(position, directory -> {
            Files.createDirectories(directory.resolve("sub"));
            Files.writeString(directory.resolve("CURRENT"), "state " + index);
            byte[] large = new byte[5_000_000];
            large[4_999_999] = (byte) index;
            Files.write(directory.resolve("sub").resolve("large"), large);
            Files.createFile(directory.resolve("empty"));
            return position;
        });
    }

    private List<String> names() throws IOException {
        try (Stream<Path> found = Files.list(root.resolve("checkpoints"))) {
            return found.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void keepsTheNewestAndThoseThatAreDownloaded() throws IOException {
        Checkpoints checkpoints = open();
        make(checkpoints, 1);
        String pinned = checkpoints.pin().orElseThrow().name();
        for (int i = 2; i <= 5; i++) {
            make(checkpoints, i);
        }
        assertThat(names()).containsExactly("checkpoint-1-1", "checkpoint-1-4", "checkpoint-1-5");
        assertThat(checkpoints.downloading()).isEqualTo(OptionalLong.of(1));

        checkpoints.release(pinned);
        assertThat(checkpoints.downloading())
                .as("whoever downloaded it still catches up")
                .isEqualTo(OptionalLong.of(1));
        make(checkpoints, 6);
        assertThat(names()).containsExactly("checkpoint-1-5", "checkpoint-1-6");
        nanos.addAndGet(Duration.ofSeconds(60).toNanos());
        assertThat(checkpoints.downloading()).isEmpty();
    }

    @Test
    void letsAnAbandonedDownloadGoAndABusyOneToo() throws IOException {
        Checkpoints checkpoints = open();
        make(checkpoints, 1);
        String idle = checkpoints.pin().orElseThrow().name();
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(checkpoints.use(idle)).isPresent();
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(checkpoints.use(idle)).isPresent();
        nanos.addAndGet(Duration.ofSeconds(60).toNanos());
        assertThat(checkpoints.use(idle)).isEmpty();

        String busy = checkpoints.pin().orElseThrow().name();
        for (int i = 0; i < 10; i++) {
            nanos.addAndGet(Duration.ofSeconds(59).toNanos());
            assertThat(checkpoints.use(busy)).isPresent();
        }
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(checkpoints.use(busy)).as("after ten minutes").isEmpty();
    }

    @Test
    void findsItsCheckpointsAgainAndClearsWhatACrashLeft() throws IOException {
        make(open(), 7);
        Files.createDirectories(root.resolve("checkpoints/unfinished/half"));
        Checkpoints again = open();
        assertThat(names()).containsExactly("checkpoint-1-7");
        assertThat(again.newest().orElseThrow().position()).isEqualTo(new Position(1, 7));
    }

    /**
     * Names of files are on disk before the checkpoint has its own, which is on disk before the log behind it may go.
     */
    @Test
    void aCheckpointHasItsNameWhenTheNamesInItAreOnDisk() throws IOException {
        TracedFiles files = new TracedFiles(root);
        Checkpoints checkpoints = new Checkpoints(
                files.path().resolve("checkpoints"), 2, Duration.ofSeconds(60), Duration.ofMinutes(10), clock);
        files.trace.clear();
        checkpoints.create(new Position(1, 7), directory -> {
            Files.createDirectory(directory);
            Files.writeString(directory.resolve("CURRENT"), "state 7");
            return new Position(1, 7);
        });
        assertThat(files.trace)
                .containsExactly(
                        "create checkpoints/unfinished",
                        "create checkpoints/unfinished/CURRENT",
                        "force checkpoints/unfinished",
                        "move checkpoints/unfinished checkpoints/checkpoint-1-7",
                        "force checkpoints");
    }

    private static SnapshotServer server(Checkpoints checkpoints) {
        LogDescription log = new LogDescription(
                LogCluster.LOG.clusterId(), LogCluster.LOG.log().toString(), 1, 1, 9);
        return new SnapshotServer(checkpoints, fresh -> checkpoints.pin(), () -> log);
    }

    @Test
    void aDownloadIsTheCheckpointByteForByte() throws IOException {
        Checkpoints checkpoints = open();
        make(checkpoints, 9);
        SnapshotServer server = server(checkpoints);
        Path target = root.resolve("download");
        Files.createDirectories(target.resolve("leftover"));

        Position fetched =
                new SnapshotDownload((from, request) -> server.answer(request), "nn1", LogCluster.LOG).fetch(target, 9);

        assertThat(fetched).isEqualTo(new Position(1, 9));
        Path original = checkpoints.newest().orElseThrow().directory();
        assertThat(DirectoryTree.files(target).stream().map(target::relativize))
                .containsExactlyElementsOf(DirectoryTree.files(original).stream()
                        .map(original::relativize)
                        .toList());
        for (Path file : DirectoryTree.files(original)) {
            assertThat(target.resolve(original.relativize(file))).hasSameBinaryContentAs(file);
        }
        assertThatThrownBy(() -> new SnapshotDownload((from, request) -> server.answer(request), "nn1", LogCluster.LOG)
                        .fetch(target, 10))
                .hasMessageContaining("ends at entry 9, needed is 10");
    }

    @Test
    void theStateOfAnotherLogIsNotDownloaded() throws IOException {
        Checkpoints checkpoints = open();
        make(checkpoints, 9);
        SnapshotServer server = server(checkpoints);
        LogIdentity ours = new LogIdentity(LogCluster.LOG.clusterId(), new UUID(3, 3));
        assertThatThrownBy(() -> new SnapshotDownload((from, request) -> server.answer(request), "nn1", ours)
                        .fetch(root.resolve("download"), 9))
                .isInstanceOf(EcfsException.class)
                .hasMessageContainingAll("nn1", "another log", ours.toString());
        assertThat(root.resolve("download")).doesNotExist();
    }

    @Test
    // Alluxio #14045, #12356, #15677
    void aDownloadNoticesAFlippedBitAndAShortAnswer() throws IOException {
        Checkpoints checkpoints = open();
        make(checkpoints, 9);
        SnapshotServer server = server(checkpoints);
        SnapshotSource flips = (from, request) -> {
            SnapshotSource.Answer answer = server.answer(request);
            if (request instanceof ReadSnapshot read && read.offset() == 1 << 20) {
                answer.payload().put(100, (byte) 1);
            }
            return answer;
        };
        assertThatThrownBy(() -> new SnapshotDownload(flips, "nn1", LogCluster.LOG).fetch(root.resolve("a"), 9))
                .hasMessageContaining("sub/large")
                .hasMessageContaining("CRC32C");
        SnapshotSource cuts = (from, request) -> {
            SnapshotSource.Answer answer = server.answer(request);
            return request instanceof ReadSnapshot
                    ? new SnapshotSource.Answer(answer.reply(), answer.payload().limit(1))
                    : answer;
        };
        assertThatThrownBy(() -> new SnapshotDownload(cuts, "nn1", LogCluster.LOG).fetch(root.resolve("b"), 9))
                .hasMessageContaining("gave 1 of");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret", "/etc/passwd", "sub/../../secret", "", ".", "sub", "link", "nothing", "a\0b"})
    void noNameReachesOutsideTheCheckpoint(String name) throws IOException {
        Checkpoints checkpoints = open();
        make(checkpoints, 1);
        Files.writeString(root.resolve("checkpoints/secret"), "secret");
        Files.createSymbolicLink(root.resolve("checkpoints/checkpoint-1-1/link"), root.resolve("checkpoints/secret"));
        SnapshotServer server = server(checkpoints);
        Manifest manifest = (Manifest) server.answer(new OpenSnapshot()).reply();
        assertThat(manifest.files())
                .extracting(SnapshotReply.SnapshotFile::name)
                .doesNotContain("link");
        assertThatThrownBy(() -> server.answer(new ReadSnapshot(manifest.snapshot(), name, 0, 10)))
                .isInstanceOf(EcfsException.class)
                .satisfies(e -> assertThat(((EcfsException) e).code()).isEqualTo(ErrorCode.NOT_FOUND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "/tmp/outside", "", "a\0b"})
    void noManifestMakesADownloadWriteOutsideItsDirectory(String name) throws IOException {
        SnapshotServer honest = server(open());
        SnapshotSource liar = (from, request) -> request instanceof OpenSnapshot
                ? new SnapshotSource.Answer(
                        new Manifest("s", 1, 1, List.of(new SnapshotReply.SnapshotFile(name, 0, 0))),
                        ByteBuffer.allocate(0))
                : honest.answer(request);
        assertThatThrownBy(() -> new SnapshotDownload(liar, "nn1", LogCluster.LOG).fetch(root.resolve("target"), 1))
                .hasMessageContaining("outside the checkpoint");
        assertThat(root.resolve("outside")).doesNotExist();
    }

    @Test
    void aClosedOrUnknownCheckpointIsNotServed() throws IOException {
        Checkpoints checkpoints = open();
        SnapshotServer server = server(checkpoints);
        assertThatThrownBy(() -> server.answer(new OpenSnapshot())).hasMessageContaining("no checkpoint");
        assertThatThrownBy(() -> server.answer(new ReadSnapshot("checkpoint-1-1", "CURRENT", 0, 1)))
                .hasMessageContaining("not (or no longer) here");
        assertThat(server.answer(new CloseSnapshot("never opened")).reply()).isInstanceOf(SnapshotReply.Closed.class);
    }
}

package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.datanode.store.disk.FaultFile.Fault;
import io.ecfs.datanode.store.disk.FaultFile.Kind;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.env.real.RealEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FaultyVolumeIoTest {
    private static final ByteBuffer BYTES = ByteBuffer.allocateDirect(100);

    @TempDir
    private Path home;

    @TempDir
    private Path volume;

    private FaultyVolumeIo disk;

    @AfterEach
    void close() {
        disk.close();
    }

    /** A disk with a file of 100 bytes, and this fault from now on. */
    private void open(Kind kind, long millis, Path of) throws IOException {
        DirectoryVolumeIo below = new DirectoryVolumeIo(volume, 4);
        below.create("file");
        below.write("file", 0, BYTES.duplicate());
        FaultFile.write(home, List.of(new Fault(kind, millis, of)));
        disk = new FaultyVolumeIo(
                below, volume, new FaultFile(home, RealEnvironment.open().clock()));
    }

    private int read() throws IOException {
        return disk.read("file", 0, ByteBuffer.allocateDirect(100));
    }

    @Test
    void readsFailWhileTheFaultLastsAndWorkAgainAfterwards() throws IOException {
        open(Kind.READ_ERRORS, 0, volume);
        assertThatThrownBy(this::read).isInstanceOf(UnreadableFileException.class);
        FaultFile.write(home, List.of());
        assertThat(home.resolve(FaultFile.NAME)).doesNotExist();
        await().ignoreExceptions().untilAsserted(() -> assertThat(read()).isEqualTo(100));
    }

    @Test
    void aFullDiskTakesNoByteAndIsStillRead() throws IOException {
        open(Kind.FULL, 0, volume);
        assertThatThrownBy(() -> disk.write("file", 100, BYTES.duplicate())).isInstanceOf(VolumeFullException.class);
        assertThatThrownBy(() -> disk.create("other")).isInstanceOf(VolumeFullException.class);
        assertThat(read()).isEqualTo(100);
    }

    @Test
    void callsOfAHangingDiskReturnWhenItIsThereAgain() throws IOException {
        open(Kind.HANG, 0, volume);
        CompletableFuture<Integer> hanging = CompletableFuture.supplyAsync(() -> {
            try {
                return read();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThatThrownBy(() -> hanging.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        FaultFile.write(home, List.of());
        assertThat(hanging.join()).isEqualTo(100);
    }

    @Test
    void aSlowDiskTakesItsTime() throws IOException {
        open(Kind.SLOW, 80, volume);
        long begin = System.nanoTime();
        read();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(80));
    }

    @Test
    void faultsOfOtherVolumesAreNotOurs() throws IOException {
        open(Kind.READ_ERRORS, 0, volume.resolveSibling("other"));
        assertThat(read()).isEqualTo(100);
    }
}

package io.ecfs.console.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.Address;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastDaemonTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path directory;

    private final Set<Long> alive = new TreeSet<>();

    private static ClusterFile.Daemon daemon(String role, String id, long pid) {
        return new ClusterFile.Daemon(role, id, new Address("127.0.0.1", 1), pid, "");
    }

    private void write() throws Exception {
        new ClusterFile(
                        "ecfs://127.0.0.1:1",
                        List.of(
                                daemon("namenode", "nn0", 7),
                                daemon("datanode", "dn0", 8),
                                daemon("console", "console", 9)))
                .write(directory);
    }

    @Test
    void theEndIsAMinuteAfterTheLastDaemonAndTheConsoleIsNone() throws Exception {
        LastDaemon last = new LastDaemon(directory, alive::contains);
        write();
        alive.addAll(List.of(7L, 8L, 9L));
        assertThat(last.gone(0)).isFalse();
        alive.remove(7L);
        assertThat(last.gone(100 * SECOND)).isFalse();
        alive.remove(8L);
        assertThat(last.gone(200 * SECOND)).isFalse();
        assertThat(last.gone(255 * SECOND)).isFalse();
        alive.add(8L);
        assertThat(last.gone(259 * SECOND)).as("one was started again").isFalse();
        alive.remove(8L);
        assertThat(last.gone(300 * SECOND)).isFalse();
        assertThat(last.gone(360 * SECOND)).isTrue();
    }

    @Test
    void aClusterThatStartsIsWaitedForAndOneThatWasStoppedIsGone() throws Exception {
        LastDaemon last = new LastDaemon(directory, alive::contains);
        assertThat(last.gone(0)).isFalse();
        assertThat(last.gone(120 * SECOND)).isFalse();
        write();
        alive.add(8L);
        assertThat(last.gone(130 * SECOND)).isFalse();
        Files.delete(ClusterFile.in(directory));
        assertThat(last.gone(140 * SECOND)).isFalse();
        assertThat(last.gone(200 * SECOND)).isTrue();
    }
}

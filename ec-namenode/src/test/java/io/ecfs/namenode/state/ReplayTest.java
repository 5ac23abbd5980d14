package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.namenode.store.StoreFailure;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Applying the log to an empty store gives the live state's hash, on every node (Alluxio #10925 and its kin
 * crash-looped all masters).
 */
class ReplayTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void randomCallsDoWhatANaiveNamespaceDoes(long seed) {
        RandomCalls calls = new RandomCalls(seed, new Ledger(new MemoryStore()));
        for (int round = 0; round < 10; round++) {
            calls.run(80);
            calls.checkTree();
            calls.checkChunks();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void equalCommandsGiveEqualHashesInEveryStore(long seed) {
        Ledger live = live(seed);
        try (KeyValueStore rocks = new RocksStore(directory.resolve("rocks"), RocksSettings.DEFAULT);
                KeyValueStore memory = new MemoryStore()) {
            Random random = new Random(seed);
            assertThat(replay(live.commands, new MetadataState(memory), random))
                    .as("seed %d", seed)
                    .isEqualTo(live.state.stateHash());
            assertThat(replay(live.commands, new MetadataState(rocks), random))
                    .as("seed %d", seed)
                    .isEqualTo(live.state.stateHash());
        }
    }

    @Test
    void aStateInstalledFromACheckpointGoesOnAsTheOneItCameFrom() {
        Ledger live = live(10);
        int half = live.commands.size() / 2;
        Random random = new Random(10);
        try (KeyValueStore leader = new RocksStore(directory.resolve("leader"), RocksSettings.DEFAULT);
                KeyValueStore follower = new RocksStore(directory.resolve("follower"), RocksSettings.DEFAULT)) {
            MetadataState leading = new MetadataState(leader);
            replay(live.commands.subList(0, half), leading, random);
            Position at = leading.checkpoint(directory.resolve("checkpoint"));
            MetadataState following = new MetadataState(follower);
            replay(live.commands.subList(0, 5), following, random);
            following.install(directory.resolve("checkpoint"));

            assertThat(following.applied()).isEqualTo(at);
            assertThat(following.stateHash()).isEqualTo(leading.stateHash());
            assertThat(replay(live.commands.subList(half, live.commands.size()), following, random))
                    .isEqualTo(live.state.stateHash());
        }
    }

    @Test
    // #12667, #13822, #13842
    void aKilledStoreIsReplayedFromAnEarlierEntry() throws Exception {
        Ledger live = live(11);
        Path log = directory.resolve("log");
        writeLog(live.commands, log);
        long killedAt = -1;
        for (int crash = 1; crash <= 2; crash++) {
            killedAt = killAfter(log, live.commands.size() * crash / 3);
        }
        try (KeyValueStore store = new RocksStore(directory.resolve("killed"), RocksSettings.DEFAULT)) {
            MetadataState state = new MetadataState(store);
            long applied = state.applied().index();
            assertThat(applied).isBetween(KilledProcess.CHECKPOINT_EVERY - 1L, live.commands.size() - 1L);
            assertThat(killedAt).isPositive();
            for (int i = (int) applied + 1; i < live.commands.size(); i++) {
                state.apply(new Position(1, i), List.of(live.commands.get(i)));
            }
            assertThat(state.stateHash()).isEqualTo(live.state.stateHash());
        }
    }

    @Test
    // Alluxio #16025
    void aFullDiskStopsApplyingAndLeavesNothingOfTheEntry() {
        CountingStore store = new CountingStore();
        Ledger ledger = new Ledger(store);
        long hash = ledger.state.stateHash();
        Position before = ledger.state.applied();
        store.diskFull = true;
        assertThatThrownBy(() -> ledger.call(ledger.mkdirs("/a")))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("no space left on device")
                .hasMessageContaining("entry " + (before.index() + 1));
        store.diskFull = false;
        assertThatThrownBy(() -> ledger.call(ledger.mkdirs("/a"))).isInstanceOf(StoreFailure.class);
        assertThat(ledger.state.stateHash()).isEqualTo(hash);
        assertThat(ledger.state.applied()).isEqualTo(before);

        Ledger again = new Ledger(new MemoryStore());
        again.done(again.mkdirs("/a"));
    }

    @Test
    void anEntryOutOfOrderIsABugThatStops() {
        Ledger ledger = new Ledger(new MemoryStore());
        assertThatThrownBy(() -> ledger.state.apply(ledger.state.applied(), List.of()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("comes after entry");
    }

    private static Ledger live(long seed) {
        Ledger live = new Ledger(new MemoryStore());
        new RandomCalls(seed, live).run(300);
        return live;
    }

    private static long replay(List<byte[]> commands, MetadataState state, Random random) {
        long term = Math.max(1, state.applied().term());
        for (int from = 0; from < commands.size(); ) {
            int to = Math.min(commands.size(), from + 1 + random.nextInt(8));
            state.apply(new Position(term, state.applied().index() + 1), commands.subList(from, to));
            from = to;
        }
        state.skip(new Position(term + 1, state.applied().index() + 1));
        assertThat(state.hashAt(state.applied().index()))
                .as("the hash carried on from entry to entry is that of all rows")
                .hasValue(state.stateHash());
        return state.stateHash();
    }

    private static void writeLog(List<byte[]> commands, Path log) throws IOException {
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(log))) {
            for (byte[] command : commands) {
                out.writeInt(command.length);
                out.write(command);
            }
        }
    }

    /**
     * Starts a process that applies the log to the store, and kills it once it has said that it applied entry
     * {@code index}.
     */
    private long killAfter(Path log, int index) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledProcess.class.getName(),
                        log.toString(),
                        directory.resolve("killed").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("applied ") && Integer.parseInt(line.substring(8)) >= index) {
                    return index;
                }
            }
            throw new AssertionError("the process ended with " + process.waitFor() + " before entry " + index);
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}

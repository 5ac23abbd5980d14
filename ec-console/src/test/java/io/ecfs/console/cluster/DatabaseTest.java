package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.console.derby.EcfsStorageFactory;
import io.ecfs.console.derby.LeaseEnd;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real database on files that are updated in place: Derby overwrites its pages, and trusts what was synced. {@code
 * -Decfs.database.seed} for other deaths, {@code -Decfs.database.kills} for so many in the soak.
 */
class DatabaseTest {
    private static final long SEED = Long.getLong("ecfs.database.seed", 1);
    private static final int FEW_KILLS = 1;
    private static final int MANY_KILLS = Integer.getInteger("ecfs.database.kills", 100);
    private static final int CLERKS = 4;
    private static final int TRANSACTIONS = 20;

    /** Transactions of which a process is killed at the latest after the last. */
    private static final int LONGEST_LIFE = 60;

    private static final int LONGEST_MILLIS_AFTER = 40;
    private static final long IDS_OF_A_LIFE = 1_000_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path directory;

    private static TestCluster cluster;

    private String path = "";

    /** Of transactions that were committed. */
    private final TreeSet<Long> committed = new TreeSet<>();

    private long lives;

    @BeforeAll
    static void up() throws IOException, SQLException {
        // The lock is a lease: a process that pauses for a moment on a busy machine must keep it.
        cluster = TestCluster.start(
                Files.createDirectory(directory.resolve("cluster")), "rs-3-2-64k", 1, 6, TestCluster.usualLeases());
        Bank.properties(directory).forEach(System::setProperty);
        EcfsStorageFactory.use(cluster.client());
        Bank.create(template().toString(), true).close();
    }

    @AfterAll
    static void down() {
        Bank.properties(directory).keySet().forEach(System::clearProperty);
        cluster.close();
    }

    private static Path template() {
        return directory.resolve("template");
    }

    /** Has a database that was made elsewhere: its files are ordinary ones, some share their groups. */
    private void copied(String to) throws IOException {
        path = to;
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(template())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                FilePath target = new FilePath(to + "/" + template().relativize(file));
                EcfsOutputStream out = Await.result(cluster.client().create(target, CreateOptions.defaults()));
                out.write(Files.readAllBytes(file));
                puts.add(out.closeLater());
            }
        }
        Await.result(CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)));
    }

    private long firstId() {
        return IDS_OF_A_LIFE * ++lives;
    }

    @Test
    void itIsConsistentWhenItIsOpenedAgainAndAllThatWasCommittedIsThere()
            throws SQLException, ExecutionException, InterruptedException, IOException {
        copied("/bank");
        long first = firstId();
        try (Bank bank = Bank.open(path)) {
            List<Future<Void>> clerks = new ArrayList<>();
            for (int i = 0; i < CLERKS; i++) {
                long from = first + (long) i * TRANSACTIONS;
                clerks.add(CompletableFuture.runAsync(() -> transact(bank, from)));
            }
            for (Future<Void> clerk : clerks) {
                clerk.get();
            }
            for (long id = first; id < first + (long) CLERKS * TRANSACTIONS; id++) {
                committed.add(id);
            }
            assertThat(bank.check()).containsAll(committed);
        }
        verify();
    }

    private static void transact(Bank bank, long from) {
        try (Bank.Clerk clerk = bank.clerk(new Random(from))) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                clerk.transact(from + i);
            }
        } catch (SQLException e) {
            throw new AssertionError("transactions from " + from + " on failed", e);
        }
    }

    /** Opens the database with a client of its own. */
    private void verify() throws IOException, SQLException {
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            EcfsStorageFactory.use(client);
            try (Bank bank = Bank.open(path)) {
                assertThat(bank.check()).containsAll(committed);
            }
        } finally {
            EcfsStorageFactory.use(cluster.client());
        }
    }

    @Test
    void whatWasCommittedIsThereAfterItsProcessWasKilled() throws IOException, SQLException, InterruptedException {
        copied("/killed");
        killed(FEW_KILLS);
    }

    @Test
    @Tag("soak")
    void whatWasCommittedIsThereAfterManyKills() throws IOException, SQLException, InterruptedException {
        path = "/soak";
        Bank.create(path, false).close();
        killed(MANY_KILLS);
    }

    private void killed(int kills) throws IOException, SQLException, InterruptedException {
        Random random = new Random(SEED);
        for (int kill = 1; kill <= kills; kill++) {
            liveAndDie(random);
            LeaseEnd.await(cluster.client(), new FilePath(path + "/dbex.lck"));
            // Otherwise the next process recovers the database.
            if (kill == kills || random.nextBoolean()) {
                verify();
            }
        }
    }

    private void liveAndDie(Random random) throws IOException, InterruptedException, SQLException {
        Process process = start(random.nextLong());
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).as("see %s", errors()).isEqualTo(DoomedBank.OPEN);
            if (lives % 2 == 0) {
                assertThatThrownBy(() -> Bank.open(path))
                        .as("opened while another process has it open")
                        .hasStackTraceContaining("XSDB6");
            }
            int life = random.nextInt(LONGEST_LIFE);
            for (int i = 0; i < life; i++) {
                String line = lines.readLine();
                assertThat(line).as("see %s", errors()).isNotNull();
                committed.add(Long.parseLong(line));
            }
            assertThat(process.waitFor(random.nextInt(LONGEST_MILLIS_AFTER), TimeUnit.MILLISECONDS))
                    .as("it died by itself, see %s", errors())
                    .isFalse();
            process.toHandle().destroyForcibly(); // what it printed is still read
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                committed.add(Long.parseLong(line));
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Path errors() {
        return directory.resolve("errors.log");
    }

    private Process start(long seed) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        for (Map.Entry<String, String> property :
                Bank.properties(directory.resolve("doomed")).entrySet()) {
            command.add("-D" + property.getKey() + "=" + property.getValue());
        }
        Files.createDirectories(directory.resolve("doomed"));
        command.addAll(List.of(DoomedBank.class.getName(), cluster.uri(), path, "" + firstId(), "" + seed));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors().toFile()))
                .start();
    }
}

package io.ecfs.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class RocksStoreTest extends StoreContractTest {
    private static final List<Table> TABLES = List.of(Table.META, Table.INODES, Table.GARBAGE);

    @Override
    KeyValueStore open(Path directory) {
        return new RocksStore(directory, RocksSettings.DEFAULT);
    }

    @Test
    void comesBackWithItsDataAfterAClose() {
        put(Table.INODES, "a", "1");
        store().close();
        try (KeyValueStore again = open(directory.resolve("store"));
                View view = again.view()) {
            assertThat(view.get(Table.INODES, bytes("a"))).isEqualTo(bytes("1"));
        }
    }

    @Test
    void anInstalledCheckpointSurvivesAReopen() throws IOException {
        put(Table.INODES, "a", "1");
        store().checkpoint(directory.resolve("checkpoint"));
        put(Table.INODES, "a", "2");
        store().install(directory.resolve("checkpoint"));
        store().close();
        try (KeyValueStore again = open(directory.resolve("store"));
                View view = again.view()) {
            assertThat(view.get(Table.INODES, bytes("a"))).isEqualTo(bytes("1"));
        }
        try (Stream<Path> left = Files.list(directory.resolve("store"))) {
            assertThat(left.map(p -> p.getFileName().toString())).containsExactlyInAnyOrder("CURRENT", "db-1");
        }
    }

    @Test
    void aCrashDuringAnInstallLeavesTheOldStore() throws IOException {
        put(Table.INODES, "a", "1");
        store().close();
        Path halfInstalled = directory.resolve("store/db-1");
        Files.createDirectories(halfInstalled);
        Files.writeString(halfInstalled.resolve("MANIFEST-000001"), "half");
        Files.writeString(directory.resolve("store/CURRENT.new"), "db-1");
        try (KeyValueStore again = open(directory.resolve("store"));
                View view = again.view()) {
            assertThat(view.get(Table.INODES, bytes("a"))).isEqualTo(bytes("1"));
        }
        assertThat(halfInstalled).doesNotExist();
    }

    @Test
    void aStoreInUseIsRefusedByName() {
        assertThatThrownBy(() -> open(directory.resolve("store")))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining(directory.resolve("store").toString())
                .hasMessageContaining("lock");
    }

    @Test
    void aBrokenPointerIsRefusedAndNothingIsRemoved() throws IOException {
        put(Table.INODES, "a", "1");
        store().close();
        Files.writeString(directory.resolve("store/CURRENT"), "../elsewhere\n");
        assertThatThrownBy(() -> open(directory.resolve("store")))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("names no database");
        assertThat(directory.resolve("store/db-0")).isDirectory();
    }

    private Path installed() {
        put(Table.INODES, "a", "1");
        store().checkpoint(directory.resolve("checkpoint"));
        store().install(directory.resolve("checkpoint"));
        store().close();
        return directory.resolve("store/db-1");
    }

    @Test
    void withoutThePointerALaterDatabaseIsNeitherRemovedNorPassedOver() throws IOException {
        Path database = installed();
        Path pointer = directory.resolve("store/CURRENT");
        Files.delete(pointer);
        assertThatThrownBy(() -> open(directory.resolve("store")))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining(pointer + ", which names the database that counts, is lost; there is [db-1]")
                .hasMessageEndingWith("write this name into the file");
        assertThat(database).isDirectory();
        assertThat(directory.resolve("store/db-0")).doesNotExist();

        Files.createDirectory(directory.resolve("store/db-2"));
        assertThatThrownBy(() -> open(directory.resolve("store")))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("[db-1, db-2]")
                .hasMessageEndingWith("replace this namenode as one whose disk was lost");
        assertThat(directory.resolve("store/db-2")).isDirectory();

        Files.delete(directory.resolve("store/db-2"));
        Files.writeString(pointer, "db-1\n");
        try (KeyValueStore again = open(directory.resolve("store"));
                View view = again.view()) {
            assertThat(view.get(Table.INODES, bytes("a"))).isEqualTo(bytes("1"));
        }
    }

    @Test
    void aPointerToADatabaseThatIsLostRemovesNoOther() throws IOException {
        Path database = installed();
        Files.writeString(directory.resolve("store/CURRENT"), "db-7\n");
        assertThatThrownBy(() -> open(directory.resolve("store")))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("names db-7, which is not there, but [db-1]");
        assertThat(database).isDirectory();
        assertThat(directory.resolve("store/db-7")).doesNotExist();
    }

    /** As a crash leaves it, before and after the pointer is on disk. */
    @Test
    void theFirstStartGoesOnWhereItWasCutOff() throws IOException {
        Path bare = directory.resolve("bare");
        Files.createDirectories(bare.resolve("db-0"));
        Files.writeString(bare.resolve("CURRENT.new"), "db-0\n");
        open(bare).close();
        assertThat(bare.resolve("CURRENT")).hasContent("db-0");
        Path pointed = directory.resolve("pointed");
        Files.createDirectories(pointed);
        Files.writeString(pointed.resolve("CURRENT"), "db-0\n");
        open(pointed).close();
        assertThat(pointed.resolve("db-0")).isDirectory();
    }

    @Test
    void theFirstDatabaseIsTakenWhereOnlyItsPointerIsLost() throws IOException {
        put(Table.INODES, "a", "1");
        store().close();
        Files.delete(directory.resolve("store/CURRENT"));
        try (KeyValueStore again = open(directory.resolve("store"));
                View view = again.view()) {
            assertThat(view.get(Table.INODES, bytes("a"))).isEqualTo(bytes("1"));
        }
    }

    /** A later release made a table, and its upgrade was taken back: the table is empty, or its rows would be lost. */
    @Test
    void aTableOfALaterReleaseIsLeftAloneWhileItIsEmpty() throws RocksDBException {
        put(Table.INODES, "a", "1");
        store().close();
        Path database = directory.resolve("store/db-0");
        withTables(
                database,
                (db, tables) -> db.createColumnFamily(new ColumnFamilyDescriptor(bytes("packs")))
                        .close());
        try (KeyValueStore again = open(directory.resolve("store"))) {
            try (View view = again.view()) {
                assertThat(view.get(Table.INODES, bytes("a"))).isEqualTo(bytes("1"));
            }
            again.checkpoint(directory.resolve("checkpoint"));
            again.install(directory.resolve("checkpoint"));
        }
        Path installed = directory.resolve("store/db-1");
        withTables(installed, (db, tables) -> {
            db.put(tables.get(tables.size() - 1), bytes("k"), bytes("v"));
            db.flush(new FlushOptions(), tables);
        });
        assertThatThrownBy(() -> open(directory.resolve("store")))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("table 'packs' has rows that only a later release reads");
    }

    private interface Use {
        void use(RocksDB db, List<ColumnFamilyHandle> tables) throws RocksDBException;
    }

    /** As another release would: with all tables that are there, the latest last. */
    private static void withTables(Path database, Use use) throws RocksDBException {
        try (Options options = new Options();
                DBOptions existing = new DBOptions()) {
            List<ColumnFamilyDescriptor> descriptors = RocksDB.listColumnFamilies(options, database.toString()).stream()
                    .map(ColumnFamilyDescriptor::new)
                    .toList();
            List<ColumnFamilyHandle> tables = new ArrayList<>();
            try (RocksDB db = RocksDB.open(existing, database.toString(), descriptors, tables)) {
                use.use(db, tables);
                tables.forEach(ColumnFamilyHandle::close);
            }
        }
    }

    @Test
    void aViewOutlivesTheClosingOfItsStore() {
        put(Table.INODES, "a", "1");
        View view = store().view();
        store().close();
        assertThat(view.get(Table.INODES, bytes("a"))).isEqualTo(bytes("1"));
        view.close();
        store().close();
    }

    /** RocksDB without its own log takes a full disk for a passing trouble and would hold the writer for ever. */
    @Test
    void aDiskThatTakesNoMoreFailsTheWriterInsteadOfHoldingIt() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-UsePerfData",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FillingProcess.class.getName(),
                        directory.resolve("full").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader says = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(says.readLine()).isEqualTo("ready");
            Process limit = new ProcessBuilder("prlimit", "--pid", "" + process.pid(), "--fsize=300000")
                    .inheritIO()
                    .start();
            assertThat(limit.waitFor()).isZero();
            process.getOutputStream().close();
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ends by itself")
                    .isTrue();
            assertThat(says.lines()).anyMatch(line -> line.startsWith("failed: cannot write"));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void behavesAsTheMemoryStoreUnderRandomTransactions() {
        long seed = 20261121;
        Random random = new Random(seed);
        try (KeyValueStore memory = new MemoryStore()) {
            for (int round = 0; round < 400; round++) {
                boolean commit = random.nextInt(5) > 0;
                try (Transaction ours = store().begin();
                        Transaction theirs = memory.begin()) {
                    for (int i = random.nextInt(20); i >= 0; i--) {
                        change(random, List.of(ours, theirs));
                    }
                    same(random, ours, theirs, seed);
                    if (commit) {
                        ours.commit();
                        theirs.commit();
                    }
                }
                try (View ours = store().view();
                        View theirs = memory.view()) {
                    same(random, ours, theirs, seed);
                }
            }
        }
    }

    private static void change(Random random, List<Transaction> transactions) {
        Table table = TABLES.get(random.nextInt(TABLES.size()));
        byte[] key = key(random);
        byte[] value = new byte[random.nextInt(40)];
        random.nextBytes(value);
        boolean delete = random.nextInt(3) == 0;
        for (Transaction transaction : transactions) {
            if (delete) {
                transaction.delete(table, key);
            } else {
                transaction.put(table, key, value);
            }
        }
    }

    private static void same(Random random, View ours, View theirs, long seed) {
        Table table = TABLES.get(random.nextInt(TABLES.size()));
        byte[] from = key(random);
        byte[] to = random.nextBoolean() ? key(random) : null;
        int limit = 1 + random.nextInt(30);
        assertThat(rows(ours, table, from, to, limit))
                .as("seed %d", seed)
                .isEqualTo(rows(theirs, table, from, to, limit));
        assertThat(ours.get(table, from)).as("seed %d", seed).isEqualTo(theirs.get(table, from));
    }

    private static List<List<Byte>> rows(View view, Table table, byte[] from, byte[] to, int limit) {
        List<List<Byte>> rows = new ArrayList<>();
        view.scan(table, from, to, (key, value) -> {
            List<Byte> row = new ArrayList<>();
            for (byte b : key) {
                row.add(b);
            }
            row.add(null);
            for (byte b : value) {
                row.add(b);
            }
            rows.add(row);
            return rows.size() < limit;
        });
        return rows;
    }

    private static byte[] key(Random random) {
        byte[] key = new byte[random.nextInt(3)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(8) * 37);
        }
        return key;
    }
}

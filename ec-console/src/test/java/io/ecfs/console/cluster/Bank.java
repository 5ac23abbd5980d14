package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.derby.EcfsStorageFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A Derby database on a cluster with the tables of TPC-B: a transaction moves money of an account, its teller and its
 * branch, and writes that down in a history. The balances of each are the sums of the history, whatever happened.
 */
final class Bank implements AutoCloseable {
    /** That a database was shut down, as Derby reports it. */
    private static final String SHUT_DOWN = "08006";

    private static final String DEADLOCK = "40001";
    private static final int BRANCHES = 8;
    private static final int TELLERS = 10 * BRANCHES;
    private static final int ACCOUNTS = 100 * BRANCHES;
    private static final int FILLER = 84;
    private static final int MOST_DELTA = 1000;

    private final String url;

    private Bank(String url) {
        this.url = url;
    }

    /** @param path on the cluster, or a local one */
    private static Bank of(String path, boolean local) {
        return new Bank((local ? "jdbc:derby:" : "jdbc:derby:ecfs:") + path);
    }

    /** What Derby reads when it starts: little memory and short logs, so that pages are overwritten all the time. */
    static Map<String, String> properties(Path directory) {
        return Map.of(
                EcfsStorageFactory.PROPERTY,
                EcfsStorageFactory.CLASS,
                "derby.system.home",
                directory.toString(),
                "derby.stream.error.file",
                directory.resolve("derby.log").toString(),
                "derby.storage.pageCacheSize",
                "40",
                "derby.storage.checkpointInterval",
                "100000",
                "derby.storage.logSwitchInterval",
                "100000");
    }

    /** @param local whether it is made in a directory of this machine */
    static Bank create(String path, boolean local) throws SQLException {
        Bank bank = of(path, local);
        try (Connection connection = bank.connect(";create=true");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE TABLE branches(id INT PRIMARY KEY, balance BIGINT NOT NULL)");
            statement.execute("CREATE TABLE tellers(id INT PRIMARY KEY, balance BIGINT NOT NULL)");
            statement.execute("CREATE TABLE accounts(id INT PRIMARY KEY, balance BIGINT NOT NULL, filler CHAR(84))");
            statement.execute("CREATE TABLE history(id BIGINT PRIMARY KEY, account INT NOT NULL, teller INT NOT NULL,"
                    + " branch INT NOT NULL, delta BIGINT NOT NULL, filler CHAR(84))");
            fill(connection, "branches", BRANCHES);
            fill(connection, "tellers", TELLERS);
            fill(connection, "accounts", ACCOUNTS);
            connection.commit();
        }
        return bank;
    }

    private static void fill(Connection connection, String table, int rows) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table + "(id, balance) VALUES (?, 0)")) {
            for (int i = 0; i < rows; i++) {
                insert.setInt(1, i);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /**
     * Opens a database that is there, which recovers it. One whose lock file cannot be written is opened by Derby for
     * reading, without a lock.
     */
    static Bank open(String path) throws SQLException {
        Bank bank = of(path, false);
        boolean locked;
        try (Connection connection = bank.connect("")) {
            locked = !connection.isReadOnly();
        }
        if (!locked) {
            bank.close();
            throw new SQLException(path + " can only be read: its lock file could not be written");
        }
        return bank;
    }

    private Connection connect(String more) throws SQLException {
        return DriverManager.getConnection(url + more);
    }

    Clerk clerk(Random random) throws SQLException {
        return new Clerk(connect(""), random);
    }

    /** Runs transactions, one after the other. For one thread. */
    static final class Clerk implements AutoCloseable {
        private final Connection connection;
        private final Random random;
        private final List<PreparedStatement> updates = new ArrayList<>();
        private final PreparedStatement balance;
        private final PreparedStatement insert;

        private Clerk(Connection connection, Random random) throws SQLException {
            this.connection = connection;
            this.random = random;
            connection.setAutoCommit(false);
            for (String table : List.of("accounts", "tellers", "branches")) {
                updates.add(connection.prepareStatement("UPDATE " + table + " SET balance = balance + ? WHERE id = ?"));
            }
            balance = connection.prepareStatement("SELECT balance FROM accounts WHERE id = ?");
            insert = connection.prepareStatement("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?)");
        }

        /** Returns when the transaction is committed, under an id of its own. */
        void transact(long id) throws SQLException {
            while (!tried(id)) {
                connection.rollback();
            }
        }

        private boolean tried(long id) throws SQLException {
            int account = random.nextInt(ACCOUNTS);
            int teller = random.nextInt(TELLERS);
            int branch = teller * BRANCHES / TELLERS;
            long delta = random.nextInt(2 * MOST_DELTA) - (long) MOST_DELTA;
            try {
                List<Integer> ids = List.of(account, teller, branch);
                for (int i = 0; i < updates.size(); i++) {
                    updates.get(i).setLong(1, delta);
                    updates.get(i).setInt(2, ids.get(i));
                    updates.get(i).executeUpdate();
                }
                balance.setInt(1, account);
                balance.executeQuery().close();
                insert.setLong(1, id);
                for (int i = 0; i < ids.size(); i++) {
                    insert.setInt(2 + i, ids.get(i));
                }
                insert.setLong(5, delta);
                insert.setString(6, "x".repeat(FILLER));
                insert.executeUpdate();
                connection.commit();
                return true;
            } catch (SQLException e) {
                if (e.getSQLState().equals(DEADLOCK)) {
                    return false;
                }
                throw e;
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    /** Fails unless all tables and indexes are consistent, and all balances are the sums of the history. */
    Set<Long> check() throws SQLException {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            try (ResultSet checked =
                    statement.executeQuery("SELECT t.tablename, SYSCS_UTIL.SYSCS_CHECK_TABLE(s.schemaname, t.tablename)"
                            + " FROM sys.sysschemas s, sys.systables t WHERE s.schemaid = t.schemaid"
                            + " AND t.tabletype IN ('T', 'S')")) {
                int tables = 0;
                while (checked.next()) {
                    assertThat(checked.getInt(2)).as(checked.getString(1)).isEqualTo(1);
                    tables++;
                }
                assertThat(tables).isGreaterThan(4);
            }
            for (String owner : List.of("account", "teller", "branch")) {
                String table = owner.equals("branch") ? "branches" : owner + "s";
                assertThat(sums(statement, "SELECT id, balance FROM " + table + " WHERE balance <> 0"))
                        .as(table)
                        .isEqualTo(sums(
                                statement,
                                "SELECT " + owner + ", SUM(delta) FROM history GROUP BY " + owner
                                        + " HAVING SUM(delta) <> 0"));
            }
            return new TreeSet<>(
                    sums(statement, "SELECT id, delta FROM history").keySet());
        }
    }

    private static Map<Long, Long> sums(Statement statement, String query) throws SQLException {
        Map<Long, Long> sums = new TreeMap<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                sums.put(rows.getLong(1), rows.getLong(2));
            }
        }
        return sums;
    }

    /** Shuts the database down in order. */
    @Override
    public void close() throws SQLException {
        try {
            connect(";shutdown=true").close();
        } catch (SQLException e) {
            if (!e.getSQLState().equals(SHUT_DOWN)) {
                throw e;
            }
        }
    }
}

package io.ecfs.console.cluster;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.derby.EcfsStorageFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process with a database that is there to be killed: it opens it, and prints {@link #OPEN}, and then the id of each
 * transaction when it is committed. It ends with whoever started it.
 */
final class DoomedBank {
    static final String OPEN = "open";
    private static final int CLERKS = 4;

    private DoomedBank() {}

    /** @param arguments URI of the cluster, path of the database, first id of a transaction, seed */
    public static void main(String[] arguments) throws IOException, SQLException {
        AtomicLong ids = new AtomicLong(Long.parseLong(arguments[2]));
        Random seeds = new Random(Long.parseLong(arguments[3]));
        PrintStream out = System.out;
        System.setOut(System.err); // of the log
        EcfsClient client = TestCluster.client(arguments[0]);
        EcfsStorageFactory.use(client);
        Bank bank = Bank.open(arguments[1]);
        out.println(OPEN);
        List<Thread> clerks = new ArrayList<>();
        for (int i = 0; i < CLERKS; i++) {
            Bank.Clerk clerk = bank.clerk(new Random(seeds.nextLong()));
            Thread thread = new Thread(() -> work(clerk, ids, out), "clerk-" + i);
            thread.setDaemon(true);
            thread.start();
            clerks.add(thread);
        }
        InputStream in = System.in;
        in.transferTo(PrintStream.nullOutputStream());
        System.exit(1);
    }

    private static void work(Bank.Clerk clerk, AtomicLong ids, PrintStream out) {
        try {
            while (true) {
                long id = ids.getAndIncrement();
                clerk.transact(id);
                out.println(id);
            }
        } catch (SQLException e) {
            e.printStackTrace();
            System.exit(2);
        }
    }
}

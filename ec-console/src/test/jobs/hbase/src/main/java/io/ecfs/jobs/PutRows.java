package io.ecfs.jobs;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * {@code PutRows END}: one thread for each region puts rows, one after the other, and prints those that were
 * acknowledged, until there is a file END.
 */
public final class PutRows {
    private PutRows() {}

    public static void main(String[] arguments) throws Exception {
        Path end = Path.of(arguments[0]);
        try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
            try (Admin admin = connection.getAdmin()) {
                admin.createTable(
                        TableDescriptorBuilder.newBuilder(Rows.TABLE)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Rows.FAMILY))
                                .build(),
                        Rows.splits());
            }
            printServers("before", connection);
            ExecutorService threads = Executors.newFixedThreadPool(Rows.REGIONS);
            List<Future<?>> writers = new ArrayList<>();
            for (int region = 0; region < Rows.REGIONS; region++) {
                int own = region;
                writers.add(threads.submit(() -> put(connection, own, end)));
            }
            threads.shutdown();
            for (Future<?> writer : writers) {
                writer.get();
            }
            printServers("after", connection);
        }
    }

    private static Void put(Connection connection, int region, Path end) throws Exception {
        try (Table table = connection.getTable(Rows.TABLE)) {
            for (int number = 0; !Files.exists(end); number++) {
                String key = Rows.key(region, number);
                table.put(new Put(key.getBytes(StandardCharsets.UTF_8))
                        .addColumn(Rows.FAMILY, Rows.QUALIFIER, Rows.value(key)));
                System.out.println("acknowledged " + key);
            }
        }
        return null;
    }

    /** The servers that have regions of the table. */
    private static void printServers(String word, Connection connection) throws Exception {
        try (RegionLocator locator = connection.getRegionLocator(Rows.TABLE)) {
            locator.getAllRegionLocations().stream()
                    .map(HRegionLocation::getServerName)
                    .distinct()
                    .forEach(server -> System.out.println(word + " " + server));
        }
    }
}

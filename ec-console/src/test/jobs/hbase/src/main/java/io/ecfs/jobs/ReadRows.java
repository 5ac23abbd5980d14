package io.ecfs.jobs;

import java.util.Arrays;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** {@code ReadRows}: scans the table, compares each value with what was put, and prints the keys. */
public final class ReadRows {
    private ReadRows() {}

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
                Table table = connection.getTable(Rows.TABLE);
                ResultScanner rows = table.getScanner(new Scan())) {
            for (Result row : rows) {
                String key = Bytes.toString(row.getRow());
                if (!Arrays.equals(Rows.value(key), row.getValue(Rows.FAMILY, Rows.QUALIFIER))) {
                    throw new IllegalStateException("row " + key + " has another value than was put");
                }
                System.out.println("row " + key);
            }
        }
    }
}

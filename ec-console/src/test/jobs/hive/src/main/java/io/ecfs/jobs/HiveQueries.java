package io.ecfs.jobs;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/**
 * {@code HiveQueries URL DAYS}: a client of HiveServer2 that makes a partitioned table, inserts a day in each statement,
 * and asks for sums, a join and what it has made of one table for another.
 */
public final class HiveQueries {
    private static final int ROWS = 50;

    private HiveQueries() {}

    public static void main(String[] arguments) {
        int status = 0;
        try (Connection connection = DriverManager.getConnection(arguments[0]);
                Statement hive = connection.createStatement()) {
            query(hive, Integer.parseInt(arguments[1]));
        } catch (Exception e) {
            e.printStackTrace();
            status = 1;
        }
        System.exit(status); // threads of an embedded server go on
    }

    private static void query(Statement hive, int days) throws Exception {
        hive.execute("CREATE DATABASE shop");
        hive.execute("CREATE TABLE shop.sales (item INT, amount BIGINT) PARTITIONED BY (day INT) STORED AS ORC");
        hive.execute("CREATE TABLE shop.items (item INT, name STRING)");
        hive.execute("INSERT INTO shop.items VALUES (0, 'bread'), (1, 'milk')");
        for (int day = 0; day < days; day++) {
            hive.execute("INSERT INTO shop.sales PARTITION (day = " + day + ") VALUES " + rows(day));
            System.out.println("inserted " + day);
        }
        print(hive, "sums", "SELECT day, count(*), sum(amount) FROM shop.sales GROUP BY day ORDER BY day");
        print(
                hive,
                "joined",
                "SELECT name, count(*), sum(amount) FROM shop.sales s JOIN shop.items i ON s.item = i.item"
                        + " GROUP BY name ORDER BY name");
        hive.execute("CREATE TABLE shop.days STORED AS PARQUET AS"
                + " SELECT day, max(amount) AS most FROM shop.sales GROUP BY day");
        print(hive, "days", "SELECT count(*), sum(most) FROM shop.days");
        hive.execute("DROP TABLE shop.items");
    }

    /** The amounts of a day are day * 1000 + 0, 1, ...; even ones are of item 0. */
    private static String rows(int day) {
        StringBuilder rows = new StringBuilder();
        for (int row = 0; row < ROWS; row++) {
            rows.append(row == 0 ? "" : ", ").append("(" + row % 2 + ", " + (day * 1000 + row) + ")");
        }
        return rows.toString();
    }

    private static void print(Statement hive, String word, String query) throws Exception {
        try (ResultSet result = hive.executeQuery(query)) {
            while (result.next()) {
                StringBuilder line = new StringBuilder(word);
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    line.append(' ').append(result.getString(column));
                }
                System.out.println(line);
            }
        }
    }
}

package io.ecfs.jobs;

import static org.apache.spark.sql.functions.lit;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * {@code DeltaCommits TABLE WRITER COMMITS}: appends one row in each commit to a Delta table, which other processes may
 * do at the same time; without a writer prints how often each row is there.
 */
public final class DeltaCommits {
    private DeltaCommits() {}

    public static void main(String[] arguments) throws Exception {
        String table = arguments[0];
        try (SparkSession spark =
                SparkSession.builder().appName("delta commits").getOrCreate()) {
            if (arguments.length == 1) {
                for (Row row : spark.sql("SELECT writer, count(*), count(DISTINCT number) FROM delta.`" + table
                                + "` GROUP BY writer ORDER BY writer")
                        .collectAsList()) {
                    System.out.println("rows " + row.mkString(" "));
                }
                System.out.println("history "
                        + spark.sql("DESCRIBE HISTORY delta.`" + table + "`").count());
                return;
            }
            String writer = arguments[1];
            for (long number = 0; number < Long.parseLong(arguments[2]); number++) {
                spark.range(number, number + 1, 1, 1)
                        .toDF("number")
                        .withColumn("writer", lit(writer))
                        .write()
                        .format("delta")
                        .mode("append")
                        .save(table);
                System.out.println("committed " + writer + " " + number);
            }
        }
    }
}

package io.ecfs.jobs;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * {@code Sales DIRECTORY ROWS}: writes Parquet partitioned by day, adds to it, replaces a partition, and asks it by
 * SQL; prints what it got.
 */
public final class Sales {
    private static final int DAYS = 7;

    private Sales() {}

    public static void main(String[] arguments) throws Exception {
        String directory = arguments[0];
        long rows = Long.parseLong(arguments[1]);
        try (SparkSession spark = SparkSession.builder()
                .appName("sales")
                .config("spark.sql.sources.partitionOverwriteMode", "dynamic")
                .getOrCreate()) {
            write(sales(spark, 0, rows), directory, SaveMode.ErrorIfExists);
            write(sales(spark, rows, 2 * rows), directory, SaveMode.Append);
            write(sales(spark, 0, rows).filter(col("day").equalTo("day-3")), directory, SaveMode.Overwrite);

            spark.read().parquet(directory).createOrReplaceTempView("sales");
            for (Row row : spark.sql("SELECT day, count(*), sum(cents), count(DISTINCT shop) FROM sales GROUP BY day ORDER BY day")
                    .collectAsList()) {
                System.out.println("answer " + row.mkString(" "));
            }
            System.out.println("joined " + spark.sql("SELECT count(*) FROM sales a JOIN sales b ON a.number = b.number AND a.day = 'day-1'")
                    .first()
                    .getLong(0));
        }
    }

    /** Sale n is on day n mod 7, in shop n mod 101, and of n mod 1000 cents. */
    private static Dataset<Row> sales(SparkSession spark, long first, long end) {
        return spark.range(first, end, 1, 4)
                .select(
                        col("id").as("number"),
                        concat(lit("day-"), col("id").mod(DAYS).cast("string")).as("day"),
                        col("id").mod(101).as("shop"),
                        col("id").mod(1000).as("cents"));
    }

    private static void write(Dataset<Row> sales, String directory, SaveMode mode) {
        sales.write().mode(mode).partitionBy("day").parquet(directory);
    }
}

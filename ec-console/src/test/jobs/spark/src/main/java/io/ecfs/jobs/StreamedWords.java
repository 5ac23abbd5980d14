package io.ecfs.jobs;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.split;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * {@code StreamedWords DIRECTORY ROUNDS}: in each round a text file more lies in {@code DIRECTORY/in}, and a streaming
 * query that begins anew from its checkpoint takes what it has not seen: words to files, and counts (kept in its state
 * store) to the console. Prints the words that arrived.
 */
public final class StreamedWords {
    private StreamedWords() {}

    public static void main(String[] arguments) throws Exception {
        String directory = arguments[0];
        int rounds = Integer.parseInt(arguments[1]);
        try (SparkSession spark = SparkSession.builder()
                .appName("streamed words")
                .config("spark.sql.shuffle.partitions", 2)
                .getOrCreate()) {
            for (int round = 0; round < rounds; round++) {
                arrive(spark, directory, round);
                query(spark, directory);
                count(spark, directory);
            }
            spark.read().text(directory + "/words").groupBy("value").count().orderBy("value").collectAsList().forEach(row ->
                    System.out.println("words " + row.mkString(" ")));
            spark.read().json(directory + "/counts").groupBy("word").max("count").orderBy("word").collectAsList().forEach(row ->
                    System.out.println("counts " + row.mkString(" ")));
        }
    }

    /** Round r brings r + 1 times "even" or "odd", and "all" once. */
    private static void arrive(SparkSession spark, String directory, int round) {
        String line = (round % 2 == 0 ? "even " : "odd ").repeat(round + 1) + "all";
        spark.createDataset(java.util.List.of(line), Encoders.STRING())
                .coalesce(1)
                .write()
                .mode("append")
                .text(directory + "/in");
    }

    private static Dataset<Row> words(SparkSession spark, String directory) {
        return spark.readStream().text(directory + "/in").select(explode(split(col("value"), " ")).as("word"));
    }

    private static void query(SparkSession spark, String directory) throws Exception {
        finish(words(spark, directory)
                .writeStream()
                .format("text")
                .option("path", directory + "/words")
                .option("checkpointLocation", directory + "/checkpoint-words")
                .trigger(Trigger.AvailableNow())
                .start());
    }

    private static void count(SparkSession spark, String directory) throws Exception {
        finish(words(spark, directory)
                .groupBy("word")
                .count()
                .writeStream()
                .outputMode(OutputMode.Complete())
                .option("checkpointLocation", directory + "/checkpoint-counts")
                .foreachBatch((batch, id) -> {
                    batch.write().mode("append").json(directory + "/counts");
                })
                .trigger(Trigger.AvailableNow())
                .start());
    }

    private static void finish(StreamingQuery query) throws Exception {
        query.awaitTermination();
    }
}

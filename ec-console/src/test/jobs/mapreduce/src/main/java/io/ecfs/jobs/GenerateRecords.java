package io.ecfs.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code GenerateRecords COUNT MAPS OUTPUT}: records of 100 bytes in sequence files, a map task each; prints the sum of
 * their checksums.
 */
public final class GenerateRecords extends Configured implements Tool {
    enum Sums {
        RECORDS,
        CHECKSUM
    }

    /** One line of the input, {@code FIRST END}, is one task's share. */
    static final class Generator extends Mapper<LongWritable, Text, BytesWritable, BytesWritable> {
        @Override
        protected void map(LongWritable offset, Text share, Context context) throws IOException, InterruptedException {
            String[] ends = share.toString().split(" ");
            BytesWritable key = new BytesWritable();
            BytesWritable value = new BytesWritable();
            for (long number = Long.parseLong(ends[0]); number < Long.parseLong(ends[1]); number++) {
                Records.key(number, key);
                Records.value(number, value);
                context.write(key, value);
                context.getCounter(Sums.RECORDS).increment(1);
                context.getCounter(Sums.CHECKSUM).increment(Records.checksum(key, value));
            }
        }
    }

    @Override
    public int run(String[] arguments) throws Exception {
        long count = Long.parseLong(arguments[0]);
        int maps = Integer.parseInt(arguments[1]);
        Path output = new Path(arguments[2]);
        Path shares = output.suffix(".shares");
        writeShares(shares, count, maps);

        Job job = Job.getInstance(getConf(), "generate records");
        job.setJarByClass(GenerateRecords.class);
        job.setInputFormatClass(NLineInputFormat.class);
        NLineInputFormat.addInputPath(job, shares);
        job.setMapperClass(Generator.class);
        job.setNumReduceTasks(0);
        job.setOutputKeyClass(BytesWritable.class);
        job.setOutputValueClass(BytesWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        FileOutputFormat.setOutputPath(job, output);
        if (!job.waitForCompletion(false)) {
            return 1;
        }
        System.out.println("records " + job.getCounters().findCounter(Sums.RECORDS).getValue() + " checksum "
                + job.getCounters().findCounter(Sums.CHECKSUM).getValue());
        return 0;
    }

    private void writeShares(Path shares, long count, int maps) throws IOException {
        FileSystem fs = shares.getFileSystem(getConf());
        try (FSDataOutputStream out = fs.create(shares)) {
            for (int map = 0; map < maps; map++) {
                out.writeBytes(count * map / maps + " " + count * (map + 1) / maps + "\n");
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new GenerateRecords(), arguments));
    }
}

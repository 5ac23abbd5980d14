package io.ecfs.jobs;

import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.InputSampler;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code SortRecords INPUT REDUCES OUTPUT}: a total order over all output files, as TeraSort makes it: a sample of the
 * keys cuts their range in as many parts as there are reduce tasks.
 */
public final class SortRecords extends Configured implements Tool {
    @Override
    public int run(String[] arguments) throws Exception {
        Job job = Job.getInstance(getConf(), "sort records");
        job.setJarByClass(SortRecords.class);
        job.setInputFormatClass(SequenceFileInputFormat.class);
        FileInputFormat.addInputPath(job, new Path(arguments[0]));
        job.setNumReduceTasks(Integer.parseInt(arguments[1]));
        job.setOutputKeyClass(BytesWritable.class);
        job.setOutputValueClass(BytesWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        Path output = new Path(arguments[2]);
        FileOutputFormat.setOutputPath(job, output);

        TotalOrderPartitioner.setPartitionFile(job.getConfiguration(), output.suffix(".partitions"));
        InputSampler.writePartitionFile(job, new InputSampler.SplitSampler<BytesWritable, BytesWritable>(10_000));
        job.setPartitionerClass(TotalOrderPartitioner.class);
        return job.waitForCompletion(false) ? 0 : 1;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new SortRecords(), arguments));
    }
}

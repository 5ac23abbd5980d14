package io.ecfs.jobs;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code ValidateRecords SORTED}: fails unless each key is at least the one before, over all files in their order;
 * prints what {@link GenerateRecords} did.
 */
public final class ValidateRecords extends Configured implements Tool {
    private final BytesWritable last = new BytesWritable();
    private long records;
    private long checksum;

    @Override
    public int run(String[] arguments) throws Exception {
        Path sorted = new Path(arguments[0]);
        FileSystem fs = sorted.getFileSystem(getConf());
        FileStatus[] parts = fs.listStatus(sorted, path -> path.getName().startsWith("part-"));
        Arrays.sort(parts);
        for (FileStatus part : parts) {
            validate(part.getPath());
        }
        System.out.println("records " + records + " checksum " + checksum);
        return 0;
    }

    private void validate(Path part) throws IOException {
        BytesWritable key = new BytesWritable();
        BytesWritable value = new BytesWritable();
        try (SequenceFile.Reader reader = new SequenceFile.Reader(getConf(), SequenceFile.Reader.file(part))) {
            while (reader.next(key, value)) {
                if (last.compareTo(key) > 0) {
                    throw new IOException(part + ": record " + records + " is smaller than the one before");
                }
                last.set(key);
                records++;
                checksum += Records.checksum(key, value);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new ValidateRecords(), arguments));
    }
}

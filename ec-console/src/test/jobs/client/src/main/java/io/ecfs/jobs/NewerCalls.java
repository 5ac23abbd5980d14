package io.ecfs.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeMode;
import org.apache.hadoop.fs.SafeModeAction;

/** As {@link ClientCalls}, with calls that Hadoop has from 3.3.6 on. */
public final class NewerCalls {
    private static final int MOST_CALLS = 60;

    private NewerCalls() {}

    /** {@code DIRECTORY}, which does not exist. */
    public static void main(String[] arguments) throws Exception {
        Path directory = new Path(arguments[0]);
        byte[] bytes = new byte[300_000];
        new Random(13).nextBytes(bytes);
        FileSystem files = FileSystem.get(new Configuration());
        readVectored(files, new Path(directory, "ranges"), bytes);
        recoverLease(files, new Path(directory, "left"), bytes);
        ClientCalls.check("safeMode", !((SafeMode) files).setSafeMode(SafeModeAction.GET));
    }

    private static void readVectored(FileSystem files, Path path, byte[] bytes) throws Exception {
        try (FSDataOutputStream out = files.create(path)) {
            out.write(bytes);
        }
        List<FileRange> ranges = List.of(
                FileRange.createFileRange(200_000, 50_000),
                FileRange.createFileRange(0, 100),
                FileRange.createFileRange(50, 70_000));
        try (FSDataInputStream in = files.open(path)) {
            in.readVectored(ranges, ByteBuffer::allocate);
            for (FileRange range : ranges) {
                byte[] read = new byte[range.getLength()];
                range.getData().get().get(read);
                int from = (int) range.getOffset();
                ClientCalls.check(
                        "readVectored", Arrays.equals(read, Arrays.copyOfRange(bytes, from, from + read.length)));
            }
        }
    }

    /** A writer that was left open: another client takes its lease, and the file has what was flushed. */
    private static void recoverLease(FileSystem files, Path path, byte[] bytes) throws IOException {
        FSDataOutputStream left = FileSystem.newInstance(new Configuration()).create(path);
        left.write(bytes);
        left.hflush();
        LeaseRecoverable leases = (LeaseRecoverable) files;
        int asked = 1;
        while (!leases.recoverLease(path) && asked < MOST_CALLS) { // each waits for a moment
            asked++;
        }
        ClientCalls.check("recoverLease", leases.isFileClosed(path));
        try (FSDataInputStream in = files.open(path)) {
            ClientCalls.check("recovered", Arrays.equals(bytes, in.readAllBytes()));
        }
    }
}

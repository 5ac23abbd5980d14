package io.ecfs.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.VersionInfo;

/**
 * Calls that every program makes of a file system, as far as Hadoop has them since 3.3.4. Each is checked, and
 * {@code did NAME} printed when its result is right.
 */
public final class ClientCalls {
    private static final byte[] BYTES = new byte[1_000_003];
    private static final byte[] MORE = new byte[70_001];

    private ClientCalls() {}

    /** {@code DIRECTORY}, which does not exist. */
    public static void main(String[] arguments) throws IOException {
        new Random(11).nextBytes(BYTES);
        new Random(12).nextBytes(MORE);
        Path directory = new Path(arguments[0]);
        FileSystem files = FileSystem.get(new Configuration());
        System.out.println(
                "hadoop " + VersionInfo.getVersion() + " " + files.getClass().getSimpleName());
        putAndGet(files, new Path(directory, "put"));
        append(files, new Path(directory, "put"));
        flush(files, new Path(directory, "flushed"));
        rename(files, new Path(directory, "put"), new Path(directory, "renamed"));
        list(files, directory);
        context(FileContext.getFileContext(new Configuration()), directory);
        check("delete", files.delete(directory, true) && !files.exists(directory));
    }

    private static void putAndGet(FileSystem files, Path path) throws IOException {
        java.nio.file.Path local = Files.createTempDirectory("calls");
        Files.write(local.resolve("from"), BYTES);
        files.copyFromLocalFile(new Path(local.resolve("from").toUri()), path);
        files.copyToLocalFile(false, path, new Path(local.resolve("to").toUri()), true);
        check("put", files.getFileStatus(path).getLen() == BYTES.length);
        check("get", Arrays.equals(BYTES, Files.readAllBytes(local.resolve("to"))));
        try (FSDataInputStream in = files.open(path)) {
            byte[] part = new byte[1000];
            in.readFully(500_000, part);
            check("pread", Arrays.equals(part, Arrays.copyOfRange(BYTES, 500_000, 501_000)));
        }
        check("checksum", files.getFileChecksum(path) != null);
        check("locate", files.getFileBlockLocations(path, 0, BYTES.length)[0].getHosts().length > 0);
    }

    private static void append(FileSystem files, Path path) throws IOException {
        try (FSDataOutputStream out = files.append(path)) {
            out.write(MORE);
        }
        byte[] both = Arrays.copyOf(BYTES, BYTES.length + MORE.length);
        System.arraycopy(MORE, 0, both, BYTES.length, MORE.length);
        check("append", Arrays.equals(both, read(files.open(path))));
    }

    private static void flush(FileSystem files, Path path) throws IOException {
        try (FSDataOutputStream out = files.create(path)) {
            out.write(MORE);
            out.hflush();
            check("hflush", Arrays.equals(MORE, read(files.open(path))));
            out.write(MORE);
            out.hsync();
            check("hsync", read(files.open(path)).length == 2 * MORE.length);
        }
    }

    private static void rename(FileSystem files, Path from, Path to) throws IOException {
        check("rename", files.rename(from, to) && files.exists(to) && !files.exists(from));
    }

    private static void list(FileSystem files, Path directory) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (FileStatus status : files.listStatus(directory)) {
            names.add(status.getPath().getName());
        }
        RemoteIterator<LocatedFileStatus> located = files.listFiles(directory, true);
        TreeSet<String> again = new TreeSet<>();
        while (located.hasNext()) {
            again.add(located.next().getPath().getName());
        }
        check("list", names.toString().equals("[flushed, renamed]") && names.equals(again));
    }

    private static void context(FileContext files, Path directory) throws IOException {
        Path from = new Path(directory, "context/from");
        Path to = new Path(directory, "context/to");
        try (FSDataOutputStream out =
                files.create(from, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
            out.write(MORE);
        }
        files.rename(from, to);
        check("context.rename", files.util().exists(to) && !files.util().exists(from));
        check("context.read", Arrays.equals(MORE, read(files.open(to))));
        check(
                "context.list",
                files.listStatus(new Path(directory, "context")).next().getLen() == MORE.length);
        check("context.delete", files.delete(to, false) && !files.util().exists(to));
    }

    private static byte[] read(InputStream in) throws IOException {
        try (in) {
            return in.readAllBytes();
        }
    }

    static void check(String name, boolean holds) {
        if (!holds) {
            throw new IllegalStateException(name + " did something else");
        }
        System.out.println("did " + name);
    }
}

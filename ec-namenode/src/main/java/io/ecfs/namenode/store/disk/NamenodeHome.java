package io.ecfs.namenode.store.disk;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * The directory of one namenode: a lock that keeps a second process out for as long as this is open, and a {@code VERSION} file of
 * {@code key=value} lines that says whose it is: layoutVersion, namenode, cluster (its configured name), clusterId (empty until the
 * log has told it). Safe for use by many threads.
 */
public final class NamenodeHome implements AutoCloseable {
    /** Version of the layout of the directory and of all that lies in it. */
    public static final int LAYOUT_VERSION = 1;

    private static final String VERSION = "VERSION";
    private static final String LOCK = "LOCK";

    private final Path directory;
    private final FileChannel lock;
    private final Map<String, String> identity;

    private NamenodeHome(Path directory, FileChannel lock, Map<String, String> identity) {
        this.directory = directory;
        this.lock = lock;
        this.identity = identity;
    }

    /**
     * Opens the directory and makes it when it is not there.
     *
     * @param cluster the cluster's configured name
     * @throws EcfsException {@code BUSY} when another process has it, {@code WRONG_CLUSTER} when it is another namenode's,
     *     {@code INCOMPATIBLE_VERSION} for another layout; nothing was changed then
     */
    public static NamenodeHome open(Path directory, String namenode, String cluster) throws IOException {
        Files.createDirectories(directory);
        FileChannel lock = lock(directory, namenode);
        try {
            TreeMap<String, String> fresh = new TreeMap<>(Map.of(
                    "layoutVersion",
                    Integer.toString(LAYOUT_VERSION),
                    "namenode",
                    namenode,
                    "cluster",
                    cluster,
                    "clusterId",
                    ""));
            Map<String, String> found = read(directory);
            if (found.isEmpty()) {
                write(directory, fresh);
                return new NamenodeHome(directory, lock, fresh);
            }
            check(directory, found, fresh);
            return new NamenodeHome(directory, lock, new TreeMap<>(found));
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    public Path directory() {
        return directory;
    }

    /**
     * Binds the directory to the cluster for good.
     *
     * @throws EcfsException {@code WRONG_CLUSTER} when it belongs to another
     */
    public synchronized void bindCluster(String clusterId) throws IOException {
        String bound = identity.getOrDefault("clusterId", "");
        if (!bound.isEmpty() && !bound.equals(clusterId)) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    directory + " belongs to cluster " + bound + ", the log is of cluster " + clusterId
                            + ": correct the addresses of the namenodes in the configuration");
        }
        if (bound.isEmpty()) {
            identity.put("clusterId", clusterId);
            write(directory, identity);
        }
    }

    private static FileChannel lock(Path directory, String namenode) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException inThisProcess) {
            channel.close();
            throw taken(directory, namenode, inThisProcess);
        }
        channel.close();
        throw taken(directory, namenode, null);
    }

    private static EcfsException taken(Path directory, String namenode, Throwable cause) {
        return new EcfsException(
                ErrorCode.BUSY,
                "directory " + directory + " of namenode " + namenode
                        + " is used by another process: stop it first, or give this namenode its own directory",
                cause);
    }

    private static void check(Path directory, Map<String, String> found, Map<String, String> expected)
            throws EcfsException {
        if (!expected.get("layoutVersion").equals(found.get("layoutVersion"))) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    directory + " has layout version " + found.get("layoutVersion")
                            + ", this release works with version " + LAYOUT_VERSION
                            + ": nothing was changed; start the release that wrote it");
        }
        for (String key : new String[] {"namenode", "cluster"}) {
            if (!expected.get(key).equals(found.get(key))) {
                throw new EcfsException(
                        ErrorCode.WRONG_CLUSTER,
                        directory + " belongs to " + key + " " + found.get(key) + ", not to " + expected.get(key)
                                + ": nothing was changed; correct the " + key
                                + " or the directory in the configuration");
            }
        }
    }

    private static Map<String, String> read(Path directory) throws IOException {
        String text;
        try {
            text = Files.readString(directory.resolve(VERSION));
        } catch (NoSuchFileException e) {
            return Map.of();
        }
        Map<String, String> values = new TreeMap<>();
        text.lines().filter(line -> line.indexOf('=') > 0).forEach(line -> {
            int at = line.indexOf('=');
            values.put(line.substring(0, at), line.substring(at + 1));
        });
        return values;
    }

    private static void write(Path directory, Map<String, String> values) throws IOException {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (key, value) -> text.append(key).append('=').append(value).append('\n'));
        Path fresh = directory.resolve(VERSION + ".new");
        try (FileChannel file = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
        Files.move(fresh, directory.resolve(VERSION), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    /** Lets another process have it. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}

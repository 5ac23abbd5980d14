package io.ecfs.namenode.store.disk;

import io.ecfs.env.real.DirectoryTree;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.log.LogIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The directory of one namenode: a lock that keeps a second process out for as long as this is open, and a
 * {@code VERSION} file of {@code key=value} lines that says whose it is: layoutVersion, namenode, cluster (its
 * configured name), and clusterId and log, the {@link LogIdentity}, both empty until the namenode was formatted or has
 * found the log that it belongs to. In layout version 1 there is no log, and clusterId may be empty beside a state.
 * While a backup is being restored into it, it has a directory {@code RESTORING}, and is opened by a restore alone.
 * Safe for use by many threads.
 */
public final class NamenodeHome implements AutoCloseable {
    /** Version of the layout of the directory and of all that lies in it. */
    public static final int LAYOUT_VERSION = 2;

    /** Without identities of logs. Read, and replaced when the home is bound. */
    private static final String FIRST_LAYOUT = "1";

    private static final String VERSION = "VERSION";
    private static final String LOCK = "LOCK";
    private static final String RESTORING = "RESTORING";

    private final Path directory;
    private final FileChannel lock;
    private final Map<String, String> identity;

    private NamenodeHome(Path directory, FileChannel lock, Map<String, String> identity) {
        this.directory = directory;
        this.lock = lock;
        this.identity = identity;
    }

    /**
     * Opens the directory and makes it when it is not there. It is its owner's alone: the state has the keys of block
     * tokens.
     *
     * @param cluster the cluster's configured name
     * @throws EcfsException {@code BUSY} when another process has it, {@code WRONG_CLUSTER} when it is another
     *     namenode's, {@code INCOMPATIBLE_VERSION} for another layout, {@code MALFORMED} when a restore into it broke
     *     off, {@code ACCESS_DENIED} when other users may write to it; nothing was changed then
     */
    public static NamenodeHome open(Path directory, String namenode, String cluster) throws IOException {
        NamenodeHome home = openToRestore(directory, namenode, cluster);
        if (home.restoring()) {
            home.close();
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    "a restore into " + directory + " of namenode " + namenode
                            + " broke off: run 'ecfs namenode restore'" + " again, or empty the directory");
        }
        return home;
    }

    /** As {@link #open}, also where a restore broke off. */
    public static NamenodeHome openToRestore(Path directory, String namenode, String cluster) throws IOException {
        PrivateFiles.createDirectory(directory);
        PrivateFiles.denyOthers(directory);
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
                    "",
                    "log",
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

    /** The log that this directory is bound to; empty for a new directory, and for one of the first layout. */
    public synchronized Optional<LogIdentity> log() {
        String log = identity.getOrDefault("log", "");
        return log.isEmpty()
                ? Optional.empty()
                : Optional.of(new LogIdentity(identity.get("clusterId"), UUID.fromString(log)));
    }

    /** The cluster that a directory of the first layout is bound to; it may be in the state alone. */
    public synchronized Optional<String> clusterId() {
        return Optional.of(identity.getOrDefault("clusterId", "")).filter(id -> !id.isEmpty());
    }

    /**
     * Binds the directory to a log for good.
     *
     * @throws EcfsException {@code WRONG_CLUSTER} when it belongs to another
     */
    public synchronized void bind(LogIdentity log) throws IOException {
        String cluster = identity.getOrDefault("clusterId", "");
        String bound = identity.getOrDefault("log", "");
        boolean otherCluster = !cluster.isEmpty() && !cluster.equals(log.clusterId());
        boolean otherLog = !bound.isEmpty() && !bound.equals(log.log().toString());
        if (otherCluster || otherLog) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    directory + " belongs to log " + (bound.isEmpty() ? "" : bound + " ") + "of cluster " + cluster
                            + ", not to " + log + ": correct the addresses of the namenodes in the configuration");
        }
        identity.put("layoutVersion", Integer.toString(LAYOUT_VERSION));
        identity.put("clusterId", log.clusterId());
        identity.put("log", log.log().toString());
        write(directory, identity);
    }

    /** Returns whether a restore into the directory was begun and is not over. */
    public boolean restoring() {
        return Files.exists(directory.resolve(RESTORING));
    }

    /**
     * Begins a restore: until it ends, whatever happens, only a restore opens the directory. It is no longer bound to a
     * log.
     * @param parts of the directory that are made anew: leftovers of an earlier attempt are removed
     * @return an empty directory for what only the restore needs
     */
    public synchronized Path beginRestore(String... parts) throws IOException {
        Path restoring = directory.resolve(RESTORING);
        Files.createDirectories(restoring);
        DirectoryTree.sync(directory);
        identity.put("clusterId", "");
        identity.put("log", "");
        write(directory, identity);
        for (String part : parts) {
            DirectoryTree.delete(directory.resolve(part));
        }
        Path room = restoring.resolve("room");
        DirectoryTree.delete(room);
        Files.createDirectory(room);
        return room;
    }

    /** The directory has all that was to be restored, on disk; or, of a restore that failed, nothing of it. */
    public void endRestore() throws IOException {
        DirectoryTree.sync(directory);
        DirectoryTree.delete(directory.resolve(RESTORING).resolve("room"));
        Files.deleteIfExists(directory.resolve(RESTORING));
        DirectoryTree.sync(directory);
    }

    /** Returns whether a part of the directory is missing or empty. */
    public boolean isEmpty(String part) throws IOException {
        Path path = directory.resolve(part);
        if (!Files.exists(path)) {
            return true;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(path)) {
            return !found.iterator().hasNext();
        }
    }

    /** Renames a part of the directory; nothing to do where it is not there (any more). */
    public void rename(String part, String to) throws IOException {
        if (Files.exists(directory.resolve(part))) {
            Files.move(directory.resolve(part), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), PrivateFiles.fileMode(file));
    }

    private static FileChannel lock(Path directory, String namenode) throws IOException {
        FileChannel channel = open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
        if (!expected.get("layoutVersion").equals(found.get("layoutVersion"))
                && !FIRST_LAYOUT.equals(found.get("layoutVersion"))) {
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
        try (FileChannel file = open(
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

    /** Releases the directory for another process. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}

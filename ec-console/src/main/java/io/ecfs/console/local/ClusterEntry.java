package io.ecfs.console.local;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClustersFile;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The entry of a local cluster in the user's {@code clusters.yaml}, by which {@code ecfs://NAME} finds it. It stays
 * when the cluster stops, whose ports are the same at its next start. The file is written whole or not at all, with
 * all other entries and comments; a file that cannot be read is left as it is.
 */
public final class ClusterEntry {
    private static final int CONNECT_MILLIS = 500;
    private static final Duration LOCK_PATIENCE = Duration.ofSeconds(10);
    private static final Duration LOCK_PAUSE = Duration.ofMillis(20);

    private ClusterEntry() {}

    /**
     * Adds the entry, or puts it in the place of one whose cluster was on this machine and does not run.
     *
     * @throws EcfsException {@code ALREADY_EXISTS} when the name is another cluster's, {@code INVALID_ARGUMENT} when
     *     the file cannot be read, {@code BUSY} when another process changes it for long; the file is unchanged
     */
    public static void put(ClustersFile clusters, ClusterName name, List<Address> namenodes) throws IOException {
        put(clusters, name, namenodes, LOCK_PATIENCE);
    }

    static void put(ClustersFile clusters, ClusterName name, List<Address> namenodes, Duration patience)
            throws IOException {
        Path directory = clusters.path().toAbsolutePath().getParent();
        Files.createDirectories(directory);
        Path lock = directory.resolve("clusters.lock");
        try (FileChannel channel = opened(lock)) {
            lock(channel, lock, patience); // released with the channel
            List<Address> there = clusters.read().getOrDefault(name, List.of());
            if (!there.equals(namenodes)) {
                refuseAnother(clusters, name, there);
                write(clusters.path(), name, namenodes);
            }
        }
    }

    /** A link by the lock's name would have another file made or locked, where others may write the directory. */
    private static FileChannel opened(Path lock) throws IOException {
        try {
            return FileChannel.open(lock, CREATE, WRITE, NOFOLLOW_LINKS);
        } catch (IOException e) {
            if (Files.isSymbolicLink(lock)) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT, lock + " is a link, and must be a file of this user: remove it", e);
            }
            throw e;
        }
    }

    private static void lock(FileChannel channel, Path lock, Duration patience) throws IOException {
        Poller poller = Poller.every(LOCK_PAUSE);
        try {
            while (!locked(channel)) {
                if (poller.passed(patience)) {
                    throw new EcfsException(
                            ErrorCode.BUSY,
                            "another process has " + lock + " locked since " + patience.toMillis()
                                    + " ms: try again when it has ended ('fuser " + lock + "' shows it)");
                }
                poller.pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + lock);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another thread of this process has it
        }
    }

    private static void refuseAnother(ClustersFile clusters, ClusterName name, List<Address> there)
            throws EcfsException {
        for (Address namenode : there) {
            if (!namenode.host().equals(ClusterPlan.HOST) || answers(namenode)) {
                throw new EcfsException(
                        ErrorCode.ALREADY_EXISTS,
                        "'" + name + "' is the cluster at "
                                + there.stream().map(Address::toString).collect(Collectors.joining(",")) + " in "
                                + clusters.path() + ": choose another with 'ecfs up --name NAME'");
            }
        }
    }

    private static boolean answers(Address address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false; // refused or silent: it does not run
        }
    }

    private static void write(Path path, ClusterName name, List<Address> namenodes) throws IOException {
        boolean exists = Files.exists(path);
        Path file = exists ? path.toRealPath() : path.toAbsolutePath(); // a link stays one
        String text = ClustersYaml.with(exists ? Files.readString(file) : "", name, namenodes);
        // Of a name that nobody foresees, and never one that is there: only its owner may read it until it is in place.
        Path next = Files.createTempFile(file.getParent(), "clusters", ".next");
        try {
            requireOwnLink(path, next);
            try (FileChannel out = FileChannel.open(next, WRITE, NOFOLLOW_LINKS)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            if (exists) {
                Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(file));
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    /**
     * A link of another user may lead to any file of this one's.
     *
     * @param own a file of this user
     */
    private static void requireOwnLink(Path path, Path own) throws IOException {
        if (Files.isSymbolicLink(path)
                && !Files.getOwner(path, NOFOLLOW_LINKS).equals(Files.getOwner(own, NOFOLLOW_LINKS))) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    path + " is a link of user " + Files.getOwner(path, NOFOLLOW_LINKS) + " and is not followed: remove"
                            + " it, or name another file by $" + ClustersFile.VARIABLE);
        }
    }
}

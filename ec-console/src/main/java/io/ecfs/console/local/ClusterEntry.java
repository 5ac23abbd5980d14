package io.ecfs.console.local;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClustersFile;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The entry of a local cluster in the user's {@code clusters.yaml}, by which {@code ecfs://NAME} finds it. It stays
 * when the cluster stops, whose ports are the same at its next start. The file is written whole or not at all, with
 * all other entries and comments; a file that cannot be read is left as it is.
 */
public final class ClusterEntry {
    private static final int CONNECT_MILLIS = 500;

    private ClusterEntry() {}

    /**
     * Adds the entry, or puts it in the place of one whose cluster was on this machine and does not run.
     *
     * @throws EcfsException {@code ALREADY_EXISTS} when the name is another cluster's, {@code INVALID_ARGUMENT} when
     *     the file cannot be read; the file is unchanged
     */
    public static void put(ClustersFile clusters, ClusterName name, List<Address> namenodes) throws IOException {
        Path directory = clusters.path().toAbsolutePath().getParent();
        Files.createDirectories(directory);
        try (FileChannel channel = FileChannel.open(directory.resolve("clusters.lock"), CREATE, WRITE)) {
            FileLock lock = channel.lock(); // released with the channel
            List<Address> there = clusters.read().getOrDefault(name, List.of());
            if (lock.isValid() && !there.equals(namenodes)) {
                refuseAnother(clusters, name, there);
                write(clusters.path(), name, namenodes);
            }
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
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel out = FileChannel.open(next, CREATE, TRUNCATE_EXISTING, WRITE)) {
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
    }
}

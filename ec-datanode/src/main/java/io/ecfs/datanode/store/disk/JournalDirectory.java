package io.ecfs.datanode.store.disk;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directory of the journals of a datanode's staged volumes, one subdirectory a volume.
 *
 * @param outlivesPower false on a file system in memory
 */
public record JournalDirectory(Path path, boolean outlivesPower) {
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
    private static final int OPEN_FILES = 8;
    private static final Pattern UUID_NAME = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Logger LOG = LoggerFactory.getLogger(JournalDirectory.class);

    /** Least size of a volume's journal: several segments. */
    public static final long LEAST_BYTES = 256L << 20;

    /** Size of a volume's journal that is not configured: what a drive of 200 MB/s takes in two periods of 10 s. */
    public static final long USUAL_BYTES = 4L << 30;

    /** Opens the directory, which is made when it does not exist. */
    public static JournalDirectory at(Path path) throws IOException {
        PrivateFiles.createDirectory(path);
        return new JournalDirectory(
                path, !IN_MEMORY.contains(Files.getFileStore(path).type()));
    }

    /**
     * Checks that a volume is on another device: on its own one a journal would have the volume written while it reads.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line
     */
    public void requireOtherDeviceThan(Path volume) throws IOException {
        if (device(path).equals(device(volume))) {
            throw refused("store.journal.directory " + path + " is on the device of volume " + volume
                    + ": name a directory on another device, or in memory such as /dev/shm");
        }
    }

    /**
     * Size of the journal of one volume: what is wanted, or {@link #USUAL_BYTES} and at most a volume's share of half
     * of the file system.
     *
     * @param volumes of the datanode
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line when the file system is too small
     */
    public long bytes(Optional<Long> wanted, int volumes) throws IOException {
        return bytes(wanted, Files.getFileStore(path).getTotalSpace() / volumes);
    }

    /** @param share bytes of the file system that there are for each volume */
    long bytes(Optional<Long> wanted, long share) throws EcfsException {
        if (wanted.isPresent() && wanted.get() > share) {
            throw refused("store.journal.bytes is " + wanted.get() + " for each volume, and the file system of " + path
                    + " has " + share + (share < LEAST_BYTES ? "" : ": at most that"));
        }
        long bytes = wanted.orElse(Math.min(USUAL_BYTES, share / 2));
        if (bytes < LEAST_BYTES) {
            throw refused("store.journal.directory " + path + " is on a file system with " + share
                    + " bytes for each volume: half of that must be at least " + LEAST_BYTES
                    + ", or set store.journal.bytes to " + LEAST_BYTES);
        }
        return bytes;
    }

    /**
     * Port of the journal of one volume.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line when the directory is in memory and should be written
     *     past the page cache
     */
    public VolumeIo of(String volumeUuid, boolean direct) throws IOException {
        if (direct && !outlivesPower) {
            throw refused("store.journal.direct is true, and store.journal.directory " + path
                    + " is in memory: set it to false");
        }
        return direct
                ? DirectoryVolumeIo.direct(path.resolve(volumeUuid), OPEN_FILES, Optional.empty())
                : new DirectoryVolumeIo(path.resolve(volumeUuid), OPEN_FILES);
    }

    /**
     * Removes journals of volumes that were replaced, and tells of others that are of no volume of the datanode. What
     * cannot be removed stays.
     *
     * @param known uuids of the datanode's volumes
     * @param replaced uuids of volumes that are gone for good, unless they are known
     */
    public void tidy(Set<String> known, Set<String> replaced) throws IOException {
        for (String uuid : journals()) {
            if (known.contains(uuid)) {
                continue;
            }
            Path journal = path.resolve(uuid);
            if (!replaced.contains(uuid)) {
                LOG.warn(
                        "event=journal_of_no_volume path={} action=\"remove it, unless its volume comes back\"",
                        journal);
                continue;
            }
            try {
                remove(journal);
                LOG.info("event=journal_removed path={} reason=\"its volume was replaced\"", journal);
            } catch (IOException e) {
                LOG.warn("event=journal_not_removed path={} error=\"{}\"", journal, e.toString());
            }
        }
    }

    private List<String> journals() throws IOException {
        List<String> uuids = new ArrayList<>();
        try (DirectoryStream<Path> there = Files.newDirectoryStream(path, Files::isDirectory)) {
            there.forEach(entry -> uuids.add(entry.getFileName().toString()));
        }
        uuids.removeIf(name -> !UUID_NAME.matcher(name).matches());
        uuids.sort(null);
        return uuids;
    }

    private static void remove(Path journal) throws IOException {
        try (VolumeIo lock = new DirectoryVolumeIo(journal, OPEN_FILES);
                DirectoryStream<Path> files = Files.newDirectoryStream(journal)) {
            lock.lock();
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(journal);
    }

    private static EcfsException refused(String why) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, why);
    }

    private static Object device(Path directory) throws IOException {
        return Files.getAttribute(directory, "unix:dev");
    }
}

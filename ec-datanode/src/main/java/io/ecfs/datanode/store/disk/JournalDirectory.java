package io.ecfs.datanode.store.disk;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Directory of the journals of a datanode's staged volumes, one subdirectory a volume.
 *
 * @param outlivesPower false on a file system in memory
 */
public record JournalDirectory(Path path, boolean outlivesPower) {
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
    private static final int OPEN_FILES = 8;

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
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "store.journal.directory " + path + " is on the device of volume " + volume
                            + ": name a directory on another device, or in memory such as /dev/shm");
        }
    }

    /** Port of the journal of one volume. */
    public VolumeIo of(String volumeUuid, boolean direct) throws IOException {
        return direct
                ? DirectoryVolumeIo.direct(path.resolve(volumeUuid), OPEN_FILES, Optional.empty())
                : new DirectoryVolumeIo(path.resolve(volumeUuid), OPEN_FILES);
    }

    private static Object device(Path directory) throws IOException {
        return Files.getAttribute(directory, "unix:dev");
    }
}

package io.ecfs.datanode.server;

import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.disk.DirectoryVolumeIo;
import io.ecfs.datanode.store.disk.MountPoint;
import io.ecfs.datanode.store.io.NotMountedException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Volumes that an operator replaces at one start: the empty directory at such a path becomes a new volume, though a
 * known one belongs there. That cannot be a setting: one that stays in a file would format the mount point of each
 * drive that is not mounted at some later start.
 *
 * @param paths of volumes, as the configuration names them
 * @param sameDevice whether such a directory may lie on the device of its parent, where it usually is the mount point
 *     of an absent drive
 */
public record VolumeReplacement(Set<Path> paths, boolean sameDevice) {
    /** No volume is replaced. */
    public static final VolumeReplacement NONE = new VolumeReplacement(Set.of(), false);

    public VolumeReplacement {
        Set<Path> absolute = new TreeSet<>();
        paths.forEach(path -> absolute.add(absolute(path)));
        paths = Set.copyOf(absolute);
    }

    static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    boolean includes(Path directory) {
        return paths.contains(absolute(directory));
    }

    /**
     * Checks every path before any volume is opened.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line, nothing was changed
     */
    void check(DatanodeConfig config) throws IOException {
        if (sameDevice && paths.isEmpty()) {
            throw refused("--same-device says how --replace-volume works: give that too, or neither");
        }
        Set<Path> volumes = new TreeSet<>();
        config.volumes().forEach(volume -> volumes.add(absolute(Path.of(volume))));
        for (Path path : new TreeSet<>(paths)) {
            if (!volumes.contains(path)) {
                throw refused(path + " is no volume of datanode " + config.id() + ": name one of " + volumes);
            }
            if (hasVolume(path)) {
                throw refused(path + " has a volume: start without --replace-volume " + path
                        + ", or mount an empty drive there");
            }
            if (!sameDevice && !MountPoint.at(path)) {
                throw refused(path + " is on the same device as " + path.getParent()
                        + ", so the new drive is probably not mounted: mount it, or add --same-device if the volume is"
                        + " to share that device");
            }
        }
    }

    private static boolean hasVolume(Path path) throws IOException {
        try (VolumeIo disk = DirectoryVolumeIo.existing(path, 1, Optional.empty())) {
            return Volume.existsOn(disk);
        } catch (NotMountedException e) {
            throw refused(path + " is no directory: mount the new drive there and start again");
        }
    }

    private static EcfsException refused(String why) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, why);
    }
}

package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.datanode.store.disk.JournalDirectory;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Directories on real devices, each for one volume of a ring, and one for their journals. Nothing is made in them
 * before all are checked.
 *
 * @param volumes absolute, in the order given
 * @param journals absolute, on another device than all volumes
 */
public record DiskDirectories(List<Path> volumes, Path journals) {
    /** Of an empty file system. */
    private static final String LOST_AND_FOUND = "lost+found";

    /** Left free on each device: datanodes refuse new chunks below a gigabyte. */
    private static final long RESERVE_BYTES = 3L << 29;

    public DiskDirectories {
        volumes = List.copyOf(volumes);
    }

    /**
     * Checks them.
     *
     * @param journals empty: in memory if there is any
     * @throws EcfsException in one line for a directory that is missing, given twice, not empty or not writable, and
     *     for journals on the device of a volume
     */
    public static DiskDirectories of(List<Path> directories, Optional<Path> journals) throws IOException {
        Set<Path> real = new HashSet<>();
        for (Path directory : directories) {
            requireWritable(directory, "--dirs");
            if (!real.add(directory.toRealPath())) {
                throw refused("--dirs has " + directory + " twice: name another directory for each volume");
            }
            requireEmpty(directory);
        }
        List<Path> volumes = directories.stream().map(Path::toAbsolutePath).toList();
        if (journals.isEmpty()) {
            return new DiskDirectories(volumes, JournalPlace.parent(volumes));
        }
        requireWritable(journals.get(), "--journal");
        JournalDirectory place = JournalDirectory.at(journals.get().toAbsolutePath());
        for (Path volume : volumes) {
            place.requireOtherDeviceThan(volume);
        }
        return new DiskDirectories(volumes, place.path());
    }

    private static void requireWritable(Path directory, String option) throws EcfsException {
        if (!Files.isDirectory(directory)) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    option + ": no such directory: " + directory + "; make it on the device to use, or name another");
        }
        if (!Files.isWritable(directory)) {
            throw refused(option + ": " + directory + " is not writable: change its owner, or name another");
        }
    }

    private static void requireEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            Optional<Path> other = entries.filter(entry -> !entry.endsWith(LOST_AND_FOUND))
                    .sorted()
                    .findFirst();
            if (other.isPresent()) {
                throw refused("--dirs: " + directory + " is not empty, it has "
                        + other.get().getFileName() + ": name an empty directory of its own for each volume");
            }
        }
    }

    private static EcfsException refused(String message) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, message);
    }

    /** The first ones, for a ring of so many volumes. */
    public DiskDirectories first(int count) {
        return new DiskDirectories(volumes.subList(0, count), journals);
    }

    /** Volumes of each device, in the order of the first of each. */
    public List<List<Path>> devices() throws IOException {
        Map<Object, List<Path>> devices = new LinkedHashMap<>();
        for (Path volume : volumes) {
            devices.computeIfAbsent(JournalPlace.device(volume), device -> new ArrayList<>())
                    .add(volume);
        }
        return List.copyOf(devices.values());
    }

    /** Bytes that each volume may take, beside the reserve of its device. */
    public long freeBytes() throws IOException {
        long free = Long.MAX_VALUE;
        for (List<Path> device : devices()) {
            long all = Files.getFileStore(device.get(0)).getUsableSpace() - RESERVE_BYTES;
            free = Math.min(free, Math.max(0, all) / device.size());
        }
        return free;
    }

    /** Bytes that the journal of each volume may take: half of what is free there. */
    public long freeJournalBytes() throws IOException {
        return Files.getFileStore(journals).getUsableSpace() / 2 / volumes.size();
    }
}

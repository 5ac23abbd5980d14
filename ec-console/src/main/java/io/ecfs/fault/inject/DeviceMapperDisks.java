package io.ecfs.fault.inject;

import io.ecfs.datanode.store.disk.MountPoint;
import io.ecfs.fault.victim.StoredVolume;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Volumes on ext4 over a device-mapper target over a file: the target can be replaced by one that fails or waits, and
 * be suspended, below a mounted file system. Needs root and the kernel's device-mapper.
 *
 * <pre>
 *   directory (ext4) --> /dev/mapper/NAME: linear | error | delay --> /dev/loopN --> DIRECTORY.disk
 * </pre>
 */
final class DeviceMapperDisks implements LabDisks {
    private static final int SECTOR_BYTES = 512;

    private final long sectors;
    private final Map<Path, Device> devices = Collections.synchronizedMap(new LinkedHashMap<>());

    private record Device(String name, String loop) {}

    DeviceMapperDisks(long bytesOfOne) {
        this.sectors = bytesOfOne / SECTOR_BYTES;
    }

    @Override
    public void make(StoredVolume volume, Path directory) throws IOException {
        Files.createDirectories(directory);
        Path disk = directory.resolveSibling(directory.getFileName() + ".disk");
        try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.setLength(sectors * SECTOR_BYTES);
        }
        Device device = new Device(
                "ecfs-" + ProcessHandle.current().pid() + "-" + volume.datanode() + "-" + volume.number(),
                SystemCommand.run("losetup", "--find", "--show", disk.toString()));
        devices.put(directory, device);
        SystemCommand.run("dmsetup", "create", device.name(), "--table", linear(device));
        SystemCommand.run("mkfs.ext4", "-q", path(device));
        SystemCommand.run("mount", path(device), directory.toString());
    }

    @Override
    public Optional<Undo> remove(Path directory) throws IOException {
        return Optional.of(replace(directory, "0 " + sectors + " error"));
    }

    @Override
    public Optional<Undo> hang(Path directory) throws IOException {
        Device device = devices.get(directory);
        SystemCommand.run("dmsetup", "suspend", "--noflush", "--nolockfs", device.name());
        return Optional.of(() -> SystemCommand.run("dmsetup", "resume", device.name()));
    }

    @Override
    public Optional<Undo> slow(Path directory, Duration delay) throws IOException {
        Device device = devices.get(directory);
        return Optional.of(replace(directory, "0 " + sectors + " delay " + device.loop() + " 0 " + delay.toMillis()));
    }

    @Override
    public Optional<Undo> fill(Path directory) throws IOException {
        return Optional.of(Ballast.in(directory));
    }

    @Override
    public Undo makeReadOnly(Path directory) throws IOException {
        return Mounts.makeReadOnly(directory);
    }

    private Undo replace(Path directory, String table) throws IOException {
        Device device = devices.get(directory);
        load(device, table);
        return () -> load(device, linear(device));
    }

    private static void load(Device device, String table) throws IOException {
        SystemCommand.run("dmsetup", "suspend", "--noflush", "--nolockfs", device.name());
        SystemCommand.run("dmsetup", "reload", device.name(), "--table", table);
        SystemCommand.run("dmsetup", "resume", device.name());
    }

    private String linear(Device device) {
        return "0 " + sectors + " linear " + device.loop() + " 0";
    }

    private static String path(Device device) {
        return "/dev/mapper/" + device.name();
    }

    /** All of them, whatever happens to the others. */
    @Override
    public void close() {
        List<String> left = new ArrayList<>();
        for (Path directory : List.copyOf(devices.keySet())) {
            Device device = devices.remove(directory);
            try {
                if (MountPoint.at(directory)) {
                    Mounts.unmount(directory);
                }
                SystemCommand.run("dmsetup", "remove", "--force", device.name());
                SystemCommand.run("losetup", "--detach", device.loop());
            } catch (IOException e) {
                left.add(device.name() + " over " + device.loop() + ": " + e.getMessage());
            }
        }
        if (!left.isEmpty()) {
            throw new UncheckedIOException(new IOException(
                    "remove these devices by hand (umount, dmsetup remove, losetup --detach): " + left));
        }
    }
}

package io.ecfs.datanode.store.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A disk in memory that outlives the processes on it: after {@link #restart} the next volume is opened on the same
 * object. Files are at most 1 GiB. Safe for several threads; a simulation uses one.
 */
public final class MemoryVolumeIo implements VolumeIo {
    private final String name;
    private final long capacityBytes;
    private final RandomGenerator random;

    @GuardedBy("this")
    private final MemoryTree tree = new MemoryTree();

    @GuardedBy("this")
    private DiskFaults faults = DiskFaults.NONE;

    @GuardedBy("this")
    private long operations;

    @GuardedBy("this")
    private long mutations;

    @GuardedBy("this")
    private long crashAtMutation = Long.MAX_VALUE;

    @GuardedBy("this")
    private boolean crashed;

    @GuardedBy("this")
    private boolean locked;

    /** Loss of written and unsynced bytes in a crash. */
    public enum Loss {
        /** The process ended: nothing is lost, and what was not synced can still be. */
        NOTHING,
        /**
         * The machine lost power: any part of each file, writes torn and reordered, and of each directory later names
         * missing.
         */
        UNSYNCED
    }

    /** @param random decides how writes are torn and lost; the seed of a test */
    public MemoryVolumeIo(String name, long capacityBytes, RandomGenerator random) {
        this.name = name;
        this.capacityBytes = capacityBytes;
        this.random = random;
    }

    /** Replaces the rule that lets operations fail. */
    public synchronized void faults(DiskFaults newFaults) {
        faults = newFaults;
    }

    /**
     * The process dies in the mutating operation with this number (see {@link #mutations}); a write may be half done.
     */
    public synchronized void crashAtMutation(long number) {
        crashAtMutation = number;
    }

    /** Operations so far that could change the disk. */
    public synchronized long mutations() {
        return mutations;
    }

    public synchronized boolean crashed() {
        return crashed;
    }

    /** The process ends, if it has not yet, and the disk is there again for the next one. */
    public synchronized void restart(Loss loss) {
        if (loss == Loss.UNSYNCED) {
            tree.losePower(random);
            tree.files.values().forEach(file -> file.losePower(random));
            syncFileSystem();
        }
        crashed = false;
        crashAtMutation = Long.MAX_VALUE;
        locked = false;
    }

    /** Puts all that is written on disk, as the sync of a file system does. */
    public synchronized void syncFileSystem() {
        tree.syncAll();
        tree.files.values().forEach(MemoryFile::sync);
    }

    /** Flips one bit of a file on the disk. */
    public synchronized void flipBit(String file, long byteOffset, int bit) throws IOException {
        file(file).flip(Math.toIntExact(byteOffset), bit);
    }

    /** Flips a bit of a file that chance chooses; nothing is done when it is gone or empty. */
    public synchronized void flipAnyBit(String file) {
        MemoryFile there = tree.files.get(file);
        if (there != null && there.length() > 0) {
            there.flip(random.nextInt(there.length()), random.nextInt(Byte.SIZE));
        }
    }

    /**
     * A sector of a file that chance chooses cannot be read until it is written anew; nothing is done when the file is
     * gone or empty.
     */
    public synchronized void failAnySector(String file) {
        MemoryFile there = tree.files.get(file);
        if (there != null && there.length() > 0) {
            there.failSector(random.nextInt(there.length()) / MemoryFile.SECTOR);
        }
    }

    /** The sector of a file that has the byte at {@code offset} cannot be read until it is written anew. */
    public synchronized void failSector(String file, long offset) throws IOException {
        file(file).failSector(Math.toIntExact(offset / MemoryFile.SECTOR));
    }

    /** All files that are there, sorted. */
    public synchronized List<String> files() {
        return List.copyOf(tree.files.keySet());
    }

    @Override
    public synchronized void lock() throws IOException {
        if (locked) {
            throw new EcfsException(ErrorCode.BUSY, name + " is in use by another datanode");
        }
        locked = true;
    }

    @Override
    public synchronized void createDirectory(String directory) throws IOException {
        begin(Operation.CREATE_DIRECTORY, directory);
        for (int slash = directory.indexOf('/'); slash > 0; slash = directory.indexOf('/', slash + 1)) {
            addDirectory(directory.substring(0, slash));
        }
        addDirectory(directory);
    }

    @Override
    public synchronized void create(String file) throws IOException {
        begin(Operation.CREATE, file);
        if (tree.files.containsKey(file)) {
            throw new FileAlreadyExistsException(name + "/" + file);
        }
        requireDirectoryOf(file);
        tree.add(file, new MemoryFile());
    }

    @Override
    public synchronized OptionalLong length(String file) throws IOException {
        begin(Operation.LENGTH, file);
        MemoryFile found = tree.files.get(file);
        return found == null ? OptionalLong.empty() : OptionalLong.of(found.length());
    }

    @Override
    public synchronized int read(String file, long offset, ByteBuffer into) throws IOException {
        begin(Operation.READ, file);
        byte[] bytes = new byte[into.remaining()];
        if (file(file).unreadable(offset, bytes.length)) {
            throw new UnreadableFileException(file, name + "/" + file + ": Input/output error");
        }
        int n = file(file).read((int) Math.min(Integer.MAX_VALUE, offset), bytes);
        into.put(bytes, 0, n);
        return n;
    }

    @Override
    public Optional<FileSlice> lend(String file, long offset, int bytes) {
        return Optional.empty(); // there is no file that the system knows of
    }

    @Override
    public synchronized void write(String file, long offset, ByteBuffer from) throws IOException {
        MemoryFile target = file(file);
        byte[] bytes = new byte[from.remaining()];
        from.duplicate().get(bytes);
        try {
            begin(Operation.WRITE, file);
        } catch (Crash crash) {
            int written = random.nextInt(bytes.length + 1);
            target.write(Math.toIntExact(offset), Arrays.copyOf(bytes, written));
            throw crash;
        }
        long grows = Math.max(0, offset + bytes.length - target.length());
        long free = capacityBytes - usedBytes();
        if (grows > free) {
            int fits = (int) Math.max(0, bytes.length - (grows - free));
            target.write(Math.toIntExact(offset), Arrays.copyOf(bytes, fits));
            throw new VolumeFullException(name + ": no space for " + file);
        }
        target.write(Math.toIntExact(offset), bytes);
        from.position(from.limit());
    }

    @Override
    public synchronized void truncate(String file, long length) throws IOException {
        begin(Operation.TRUNCATE, file);
        file(file).truncate((int) Math.min(Integer.MAX_VALUE, length));
    }

    @Override
    public synchronized void sync(String file) throws IOException {
        begin(Operation.SYNC, file);
        file(file).sync();
    }

    @Override
    public synchronized void syncDirectory(String directory) throws IOException {
        begin(Operation.SYNC_DIRECTORY, directory);
        requireDirectory(directory);
        tree.sync(directory);
    }

    @Override
    public synchronized void syncAll(List<String> synced) throws IOException {
        for (String file : synced) {
            if (tree.files.containsKey(file)) {
                sync(file);
            }
        }
        for (String directory :
                new LinkedHashSet<>(synced.stream().map(VolumeIo::parent).toList())) {
            syncDirectory(directory);
        }
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        begin(Operation.RENAME, from);
        file(from);
        requireDirectoryOf(to);
        tree.rename(from, to);
    }

    @Override
    public synchronized void delete(String file) throws IOException {
        begin(Operation.DELETE, file);
        file(file);
        tree.remove(file);
    }

    @Override
    public synchronized List<String> list(String directory) throws IOException {
        begin(Operation.LIST, directory);
        String prefix = directory.isEmpty() ? "" : directory + "/";
        return Stream.concat(tree.files.keySet().stream(), tree.directories.stream())
                .filter(path -> !path.isEmpty() && VolumeIo.parent(path).equals(directory))
                .map(path -> path.substring(prefix.length()))
                .sorted()
                .toList();
    }

    @Override
    public synchronized Space space() throws IOException {
        return new Space(capacityBytes, capacityBytes - usedBytes());
    }

    @Override
    public Optional<LocalFile> local(String file) {
        return Optional.empty();
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public synchronized void close() {
        locked = false;
    }

    @GuardedBy("this")
    private long usedBytes() {
        return tree.files.values().stream().mapToLong(MemoryFile::length).sum();
    }

    @GuardedBy("this")
    private void addDirectory(String directory) {
        if (!tree.directories.contains(directory)) {
            tree.addDirectory(directory);
        }
    }

    @GuardedBy("this")
    private void requireDirectoryOf(String path) throws NoSuchFileException {
        requireDirectory(VolumeIo.parent(path));
    }

    @GuardedBy("this")
    private void requireDirectory(String directory) throws NoSuchFileException {
        if (!tree.directories.contains(directory)) {
            throw new NoSuchFileException(name + "/" + directory);
        }
    }

    @GuardedBy("this")
    private MemoryFile file(String path) throws NoSuchFileException {
        MemoryFile file = tree.files.get(path);
        if (file == null) {
            throw new NoSuchFileException(name + "/" + path);
        }
        return file;
    }

    @GuardedBy("this")
    private void begin(Operation operation, String path) throws IOException {
        if (crashed) {
            throw new Crash(name + " is off");
        }
        if (operation.mutates() && mutations++ >= crashAtMutation) {
            crashed = true;
            throw new Crash(name + " goes off in " + operation + " of " + path);
        }
        faults.before(operation, path, operations++);
    }

    private static final class Crash extends IOException {
        Crash(String message) {
            super(message);
        }
    }
}

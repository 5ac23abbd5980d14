package io.ecfs.datanode.store.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.nio.file.ExtendedOpenOption;
import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.NotMountedException;
import io.ecfs.datanode.store.io.ReadOnlyVolumeException;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.env.FileSystemSync;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A volume in a directory. Threads that call it must not be interrupted: an interrupt closes a {@link FileChannel}
 * under its other users (they would see a failed disk).
 */
public final class DirectoryVolumeIo implements VolumeIo {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryVolumeIo.class);
    private static final String LOCK_FILE = "in_use.lock";
    private static final String PROBE = "direct.probe";
    private static final Path NOWHERE = Path.of("/dev/null");

    private final Path root;
    private final OpenFiles files;
    private final FileStore store; // determined once: that reads the whole table of mounts
    private final Optional<FileChannel> nowhere; // bytes sent there are read into the page cache, and not copied
    private final Optional<FileSystemSync> fileSystem;
    private final Channels channels;
    private final Optional<DirectAccess> direct;

    @GuardedBy("this")
    private FileChannel lockChannel;

    /**
     * @param root created and synced when it does not exist
     * @param openFileBound most files that stay open between calls
     */
    public DirectoryVolumeIo(Path root, int openFileBound) throws IOException {
        this(root, openFileBound, Optional.empty());
    }

    /** @param fileSystem sync of the whole file system for {@link #syncAll}; empty: it syncs file by file */
    public DirectoryVolumeIo(Path root, int openFileBound, Optional<FileSystemSync> fileSystem) throws IOException {
        this(root, openFileBound, fileSystem, DirectoryVolumeIo::open);
    }

    /**
     * A volume that is read and written past the page cache, so that the device is busy with what this process asks for
     * and with nothing else. Its bytes are not lent.
     *
     * @throws IOException when the file system refuses that, such as one in memory
     */
    public static DirectoryVolumeIo direct(Path root, int openFileBound, Optional<FileSystemSync> fileSystem)
            throws IOException {
        DirectoryVolumeIo plain = new DirectoryVolumeIo(root, openFileBound, fileSystem);
        Path probe = plain.root.resolve(PROBE);
        try (FileChannel channel = openDirect(probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            LOG.debug("event=direct_io path={} bytes={}", root, channel.size());
        } catch (IOException | UnsupportedOperationException e) {
            throw new IOException(root + " cannot be read and written past the page cache: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(probe);
            plain.close();
        }
        return new DirectoryVolumeIo(
                root, openFileBound, fileSystem, DirectoryVolumeIo::openDirect, Optional.of(new DirectAccess()));
    }

    private static FileChannel openDirect(Path path, OpenOption... options) throws IOException {
        if (Files.isDirectory(path)) {
            return open(path, options);
        }
        OpenOption[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = ExtendedOpenOption.DIRECT;
        return open(path, all);
    }

    DirectoryVolumeIo(Path root, int openFileBound, Optional<FileSystemSync> fileSystem, Channels channels)
            throws IOException {
        this(root, openFileBound, fileSystem, channels, Optional.empty());
    }

    private DirectoryVolumeIo(
            Path root,
            int openFileBound,
            Optional<FileSystemSync> fileSystem,
            Channels channels,
            Optional<DirectAccess> direct)
            throws IOException {
        this.direct = direct;
        this.fileSystem = fileSystem;
        this.channels = channels;
        this.root = root.toAbsolutePath().normalize();
        NewDirectories.create(this.root, this::syncNames);
        this.files = new OpenFiles(openFileBound, channels);
        this.store = Files.getFileStore(this.root);
        this.nowhere = Files.isWritable(NOWHERE)
                ? Optional.of(FileChannel.open(NOWHERE, StandardOpenOption.WRITE))
                : Optional.empty();
    }

    /**
     * Opens a directory that must exist: none is created below a mount point that was removed.
     *
     * @throws NotMountedException when it is not
     */
    public static DirectoryVolumeIo existing(Path root, int openFileBound, Optional<FileSystemSync> fileSystem)
            throws IOException {
        if (!Files.isDirectory(root)) {
            throw new NotMountedException(root + " is not there");
        }
        return new DirectoryVolumeIo(root, openFileBound, fileSystem);
    }

    private static FileChannel open(Path path, OpenOption... options) throws IOException {
        return FileChannel.open(path, Set.copyOf(List.of(options)), PrivateFiles.fileMode(path));
    }

    /** Denies access to other users as well: {@link PrivateFiles#denyOthers}. */
    @Override
    public synchronized void lock() throws IOException {
        if (lockChannel != null) {
            return;
        }
        PrivateFiles.denyOthers(root);
        FileChannel channel = open(
                root.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            LOG.debug("event=volume_lock_overlaps path={}", root, e);
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new EcfsException(
                    ErrorCode.BUSY,
                    root + " is in use by another datanode: stop that one, or give this one its own directory");
        }
        lockChannel = channel;
    }

    @Override
    public void createDirectory(String directory) throws IOException {
        changing(directory, () -> Files.createDirectories(path(directory), PrivateFiles.directoryMode(root)));
    }

    @Override
    public void create(String file) throws IOException {
        changing(file, () -> {
            files.create(path(file));
            return file;
        });
    }

    @Override
    public OptionalLong length(String file) throws IOException {
        try {
            return OptionalLong.of(Files.size(path(file)));
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public int read(String file, long offset, ByteBuffer into) throws IOException {
        return reading(
                file,
                () -> files.use(path(file), channel -> {
                    if (direct.isPresent()) {
                        return direct.get().read(channel, offset, into);
                    }
                    int total = 0;
                    while (into.hasRemaining()) {
                        int n = channel.read(into, offset + total);
                        if (n < 0) {
                            break;
                        }
                        total += n;
                    }
                    return total;
                }));
    }

    @Override
    public Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException {
        return direct.isPresent() ? Optional.empty() : reading(file, () -> lent(file, offset, bytes));
    }

    private Optional<FileSlice> lent(String file, long offset, int bytes) throws IOException {
        OpenFiles.Loan loan = files.lend(path(file));
        boolean lent = false;
        try {
            lent = nowhere.isPresent() && loan.channel().transferTo(offset, bytes, nowhere.get()) == bytes;
            return lent
                    ? Optional.of(new FileSlice(loan.channel(), offset, bytes, () -> giveBack(loan)))
                    : Optional.empty();
        } finally {
            if (!lent) {
                loan.close();
            }
        }
    }

    private void giveBack(OpenFiles.Loan loan) {
        try {
            loan.close();
        } catch (IOException e) {
            LOG.warn("event=file_close_failed path={} error={}", root, e.toString());
        }
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        changing(
                file,
                () -> files.use(path(file), channel -> {
                    if (direct.isPresent()) {
                        direct.get().write(channel, offset, from);
                        return from;
                    }
                    for (long at = offset; from.hasRemaining(); ) {
                        at += channel.write(from, at);
                    }
                    return from;
                }));
    }

    @Override
    public void truncate(String file, long length) throws IOException {
        changing(file, () -> files.use(path(file), channel -> channel.truncate(length)));
    }

    @Override
    public void sync(String file) throws IOException {
        files.use(path(file), channel -> {
            channel.force(true);
            return channel;
        });
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        syncNames(path(directory));
    }

    @Override
    public void syncAll(List<String> synced) throws IOException {
        if (fileSystem.isPresent()) {
            fileSystem.get().sync(root);
            return;
        }
        Set<Path> directories = new LinkedHashSet<>();
        for (String file : synced) {
            directories.add(path(file).getParent());
            try {
                sync(file);
            } catch (NoSuchFileException e) {
                LOG.debug("event=sync_left_out path={}/{}", root, file, e); // deleted meanwhile
            }
        }
        for (Path directory : directories) {
            syncNames(directory);
        }
    }

    private void syncNames(Path directory) throws IOException {
        try (FileChannel channel = channels.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        changing(to, () -> {
            files.rename(path(from), path(to), () -> Files.move(path(from), path(to), StandardCopyOption.ATOMIC_MOVE));
            return to;
        });
    }

    @Override
    public void delete(String file) throws IOException {
        files.forget(path(file));
        changing(file, () -> {
            Files.delete(path(file));
            return file;
        });
    }

    @Override
    public List<String> list(String directory) throws IOException {
        try (Stream<Path> entries = Files.list(path(directory))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (NotDirectoryException e) {
            LOG.warn("event=stray_file path={} note=not_a_directory_left_alone", path(directory));
            return List.of();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public Space space() throws IOException {
        if (store.isReadOnly()) {
            throw new ReadOnlyVolumeException(describe() + ": its file system is mounted read-only");
        }
        return new Space(store.getTotalSpace(), store.getUsableSpace());
    }

    @Override
    public Optional<LocalFile> local(String file) throws IOException {
        Object key = Files.readAttributes(path(file), BasicFileAttributes.class).fileKey();
        return Optional.ofNullable(key).map(k -> new LocalFile(path(file).toString(), k.toString()));
    }

    @Override
    public String describe() {
        return root.toString();
    }

    @Override
    public synchronized void close() {
        try {
            files.close();
            if (nowhere.isPresent()) {
                nowhere.get().close();
            }
            if (lockChannel != null) {
                lockChannel.close();
                lockChannel = null;
            }
        } catch (IOException e) {
            LOG.warn("event=volume_close_failed path={} error={}", root, e.toString());
        }
    }

    private Path path(String relative) {
        return root.resolve(relative);
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    /** Runs a read, distinguishing a bad sector from a broken disk. */
    private <T> T reading(String file, Action<T> action) throws IOException {
        try {
            return action.run();
        } catch (IOException e) {
            if (ErrorTexts.badMedium(e)) {
                throw new UnreadableFileException(
                        file, describe() + ": " + file + " cannot be read: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    /** Runs a change, distinguishing a full disk and a read-only one from a broken one. */
    private <T> void changing(String file, Action<T> action) throws IOException {
        try {
            action.run();
        } catch (AccessDeniedException | NonWritableChannelException e) {
            throw new ReadOnlyVolumeException(describe() + ": no change is allowed to " + file, e);
        } catch (IOException e) {
            if (ErrorTexts.noSpace(e)) {
                throw new VolumeFullException(describe() + ": no space for " + file, e);
            } else if (ErrorTexts.noChange(e)) {
                throw new ReadOnlyVolumeException(describe() + ": no change is allowed to " + file, e);
            }
            throw e;
        }
    }
}

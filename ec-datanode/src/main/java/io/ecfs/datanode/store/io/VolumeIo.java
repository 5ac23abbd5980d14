package io.ecfs.datanode.store.io;

import io.ecfs.buffer.FileSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The only access to a volume's disk: a flat set of calls on paths below the volume's directory, written with
 * {@code /}. All I/O is positional, no call depends on an earlier one. Calls on different files may come from several
 * threads at once; the user of the port orders the calls on one file.
 *
 * <p>Writes, new names and removals survive the end of the process at once, but the loss of power only after
 * {@link #sync} of the file and {@link #syncDirectory} of the directory that names it (POSIX).
 *
 * <p>Errors: {@link java.nio.file.NoSuchFileException} for a missing file,
 * {@link java.nio.file.FileAlreadyExistsException}, {@link VolumeFullException}, {@link ReadOnlyVolumeException}, and
 * from {@link #read} and {@link #lend} {@link UnreadableFileException}, which concerns that file alone; any other
 * {@link IOException} means that the disk failed.
 */
public interface VolumeIo extends AutoCloseable {
    /**
     * Locks the volume for this process, as long as the port is open.
     *
     * @throws io.ecfs.error.EcfsException {@code BUSY} when another process has locked it
     */
    void lock() throws IOException;

    /** Creates the directory and its parents; no error when it exists. */
    void createDirectory(String directory) throws IOException;

    /** Creates an empty file. */
    void create(String file) throws IOException;

    /** Length of a file in bytes; empty when there is none. */
    OptionalLong length(String file) throws IOException;

    /**
     * Reads from {@code offset} until the buffer is full or the file ends.
     *
     * @return bytes read, 0 at or past the end
     */
    int read(String file, long offset, ByteBuffer into) throws IOException;

    /**
     * Lends bytes of a file to be sent from there. They are read from the disk before this returns, so that sending
     * them does not wait for the disk and an error is an error of this call, unless the system evicts them meanwhile.
     *
     * @return empty when they cannot be lent, or are not all there: use {@link #read}
     */
    Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException;

    /** Writes all that remains in the buffer. After an error any part of it may be in the file. */
    void write(String file, long offset, ByteBuffer from) throws IOException;

    /** Truncates the file to {@code length} bytes; a shorter file stays as it is. */
    void truncate(String file, long length) throws IOException;

    /**
     * Returns when the file's bytes and length are on disk. An error, also for lack of room, means that the disk
     * failed: the unwritten bytes may be gone from memory as well, and the next sync would not report it.
     */
    void sync(String file) throws IOException;

    /** Returns when the directory's names are on disk. */
    void syncDirectory(String directory) throws IOException;

    /**
     * Returns when the bytes of these files and the names in their directories are on disk; other bytes that are
     * written meanwhile may be too. A file that does not exist any more is skipped. Errors are those of {@link #sync}.
     *
     * @param files in the order of their directories, which are synced in that order too
     */
    void syncAll(List<String> files) throws IOException;

    /** Renames a file atomically, replacing an existing one. */
    void rename(String from, String to) throws IOException;

    void delete(String file) throws IOException;

    /** Names in a directory, sorted; none when there is no such directory. */
    List<String> list(String directory) throws IOException;

    /** @throws ReadOnlyVolumeException when the disk is known to be read-only */
    Space space() throws IOException;

    /**
     * The file as other processes of this machine see it; empty when they cannot open it.
     *
     * @throws java.nio.file.NoSuchFileException when there is none
     */
    Optional<LocalFile> local(String file) throws IOException;

    /** Path of the volume, for logs and errors. */
    String describe();

    /** Releases the lock and closes open files. Idempotent. */
    @Override
    void close();

    /**
     * @param path absolute
     * @param key device and inode: distinguishes it from another file that another process may see at this path
     */
    record LocalFile(String path, String key) {}

    /** @param freeBytes free space for this process */
    record Space(long capacityBytes, long freeBytes) {}

    /** Directory of a path; empty: the root of the volume. */
    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }
}

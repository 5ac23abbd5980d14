package io.ecfs.datanode.store.io;

import io.ecfs.buffer.FileSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The one door to a volume's disk: a flat set of calls on paths below the volume's directory, written with {@code /}.
 * Everything positional, no call depends on an earlier one. Calls on different files may come from several threads at
 * once; whoever uses the port keeps the calls on one file in order.
 *
 * <p>Writes, new names and removals survive the end of the process at once, but the loss of power only after
 * {@link #sync} of the file and {@link #syncDirectory} of the directory that names it (POSIX).
 *
 * <p>Errors: {@link java.nio.file.NoSuchFileException} for what is not there,
 * {@link java.nio.file.FileAlreadyExistsException}, {@link VolumeFullException}, {@link ReadOnlyVolumeException}, and
 * from {@link #read} and {@link #lend} {@link UnreadableFileException}, which concerns that file alone; any other
 * {@link IOException} means that the disk failed.
 */
public interface VolumeIo extends AutoCloseable {
    /**
     * Takes the volume for this process, for as long as the port is open.
     *
     * @throws io.ecfs.error.EcfsException {@code BUSY} when another process has it
     */
    void lock() throws IOException;

    /** Makes the directory and those above it; no error when it is there. */
    void createDirectory(String directory) throws IOException;

    /** Makes an empty file. */
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
     * them waits for nothing and an error is an error of this call, unless the system needs the memory meanwhile.
     *
     * @return empty where they cannot be lent, or not all are there: read them
     */
    Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException;

    /** Writes all that remains in the buffer. After an error any part of it may be in the file. */
    void write(String file, long offset, ByteBuffer from) throws IOException;

    /** Cuts the file to {@code length} bytes; a shorter file stays as it is. */
    void truncate(String file, long length) throws IOException;

    /**
     * Returns when the file's bytes and length are on disk. An error, for want of room too, means that the disk failed:
     * what could not be written may be gone from memory as well, and the next sync would not say so.
     */
    void sync(String file) throws IOException;

    /** Returns when the directory's names are on disk. */
    void syncDirectory(String directory) throws IOException;

    /**
     * Returns when the bytes of these files and the names in their directories are on disk; whatever else is written
     * meanwhile may be too. A file that is not there any more is left out. Errors are those of {@link #sync}.
     *
     * @param files in the order of their directories, which are synced in that order too
     */
    void syncAll(List<String> files) throws IOException;

    /** Gives a file a new name in one step, in place of whatever had it. */
    void rename(String from, String to) throws IOException;

    void delete(String file) throws IOException;

    /** Names in a directory, sorted; none when there is no such directory. */
    List<String> list(String directory) throws IOException;

    /** @throws ReadOnlyVolumeException when the disk is known to take no change any more */
    Space space() throws IOException;

    /**
     * The file as other processes of this machine find it; empty when they cannot.
     *
     * @throws java.nio.file.NoSuchFileException when there is none
     */
    Optional<LocalFile> local(String file) throws IOException;

    /** Where it is, for logs and errors. */
    String describe();

    /** Gives the lock back and closes what is open. Idempotent. */
    @Override
    void close();

    /**
     * @param path absolute
     * @param key device and inode: tells it from another file that another process may see at this path
     */
    record LocalFile(String path, String key) {}

    /** @param freeBytes what this process may still write */
    record Space(long capacityBytes, long freeBytes) {}
}

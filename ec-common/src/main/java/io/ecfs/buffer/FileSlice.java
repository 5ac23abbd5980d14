package io.ecfs.buffer;

import io.ecfs.error.Invariant;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bytes of a file that somebody else keeps open: lent, so that they can go from the system's page cache to a socket
 * without a copy in this process. Whoever holds them closes them, once; until then the file stays open, also when its
 * name is gone. Their content is the file's: who lends them makes sure that nobody changes these bytes, or lives with
 * it.
 */
public final class FileSlice implements AutoCloseable {
    private final FileChannel file;
    private final long offset;
    private final int bytes;
    private final Runnable giveBack;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param giveBack runs once, on the thread that closes */
    public FileSlice(FileChannel file, long offset, int bytes, Runnable giveBack) {
        this.file = Objects.requireNonNull(file, "file");
        this.offset = offset;
        this.bytes = bytes;
        this.giveBack = Objects.requireNonNull(giveBack, "giveBack");
    }

    /** For positional access only, never to be closed here. */
    public FileChannel file() {
        return file;
    }

    /** Of the first byte in the file. */
    public long offset() {
        return offset;
    }

    public int bytes() {
        return bytes;
    }

    @Override
    public void close() {
        Invariant.check(closed.compareAndSet(false, true), "bytes of a file are given back twice");
        giveBack.run();
    }
}

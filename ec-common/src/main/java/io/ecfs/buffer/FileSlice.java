package io.ecfs.buffer;

import io.ecfs.error.Invariant;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Borrowed bytes of a file that another component opened, so that they can go from the system's page cache to a socket
 * without a copy in this process. The owner of the slice closes it, once; until then the file stays open, also when its
 * name is removed. The lender makes sure that the bytes do not change meanwhile, or tolerates it.
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

    /** The file, for positional access only; the borrower must not close it. */
    public FileChannel file() {
        return file;
    }

    /** Position of the first byte in the file. */
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

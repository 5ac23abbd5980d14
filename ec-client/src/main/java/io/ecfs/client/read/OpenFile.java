package io.ecfs.client.read;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.message.FilePath;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** The part of an open file that reads of several ranges use. Safe for use by several threads. */
public interface OpenFile {
    FilePath path();

    /** Length in bytes at the time when it was opened. */
    long length();

    Locations locations();

    /** Memory of reads that a caller waits for. */
    MemoryBudget demand();

    /** Reads on from a position, one span after the other; returns the number of bytes, -1 at the end of the file. */
    CompletableFuture<Integer> readLater(long position, ByteBuffer target);
}

package io.ecfs.bench.part;

import io.ecfs.bench.meter.MachineMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Takes page cache and gives it back right before the clock of a write starts, as the HDFS peer does with
 * {@code warmMib}. A virtual machine that returns freed memory to its host pays one to three CPU-seconds a GB for the
 * next touch, which would hide what a write costs. For one thread.
 */
public final class WarmMemory {
    /** Warms nothing. */
    public static final WarmMemory OFF = new WarmMemory(Optional.empty());

    private static final int PIECE = 1 << 20;

    private final Optional<Path> directory;

    private WarmMemory(Optional<Path> directory) {
        this.directory = directory;
    }

    /** @param directory for the file whose pages are taken; empty: warms nothing */
    public static WarmMemory in(Optional<Path> directory) {
        return new WarmMemory(directory);
    }

    /**
     * Writes a file of that length, at most as much as memory is available, and deletes it, which frees its pages.
     *
     * @return the bytes of memory that were taken and given back
     */
    long warm(long bytes) throws IOException {
        if (directory.isEmpty() || bytes <= 0) {
            return 0;
        }
        long most = Math.min(bytes, MachineMemory.availableBytes());
        Path file = Files.createTempFile(directory.get(), "ecfs-bench-warm-", "");
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] zeros = new byte[PIECE];
            for (long at = 0; at < most; at += PIECE) {
                out.write(zeros, 0, (int) Math.min(PIECE, most - at));
            }
        } finally {
            Files.delete(file);
        }
        return most;
    }
}

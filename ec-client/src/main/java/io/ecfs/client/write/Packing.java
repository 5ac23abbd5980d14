package io.ecfs.client.write;

import io.ecfs.message.namespace.FileStatus;
import io.ecfs.stripe.Stripe;
import java.util.concurrent.CompletableFuture;

/** Closes small files with their bytes in groups that they share. Safe for use by several threads. */
public interface Packing {
    /** No file is packed. */
    Packing NONE = new Packing() {
        @Override
        public boolean takes(FileStatus file, long bytes) {
            return false;
        }

        @Override
        public CompletableFuture<Boolean> close(FileStatus file, Stripe stripe, boolean sync) {
            return CompletableFuture.completedFuture(false);
        }
    };

    /** Returns whether a file that ends with so many bytes is packed. */
    boolean takes(FileStatus file, long bytes);

    /**
     * Writes a file's bytes to a pack, acknowledges them, and closes the file.
     *
     * @param file open, without bytes and without a group of its own
     * @param stripe the bytes, at least one; it stays the caller's, who must not touch it until the result is there
     * @param sync whether the bytes must be on the datanodes' disks
     * @return true: the file is closed; false: it is as before, and is to be written by itself; fails when that is not
     *     known
     */
    CompletableFuture<Boolean> close(FileStatus file, Stripe stripe, boolean sync);
}

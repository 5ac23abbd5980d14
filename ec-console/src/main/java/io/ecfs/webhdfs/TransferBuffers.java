package io.ecfs.webhdfs;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Direct buffers of downloads: from a file to the socket without a copy on the heap. There are never more than requests
 * are served at once. Safe for use by several threads.
 */
final class TransferBuffers {
    static final int BYTES = 512 << 10;

    private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

    /** A buffer for one transfer; closing this gives it back. */
    final class Loan implements AutoCloseable {
        final ByteBuffer buffer;

        private Loan(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public void close() {
            free.add(buffer.clear());
        }
    }

    Loan take() {
        ByteBuffer known = free.poll();
        return new Loan(known == null ? ByteBuffer.allocateDirect(BYTES) : known);
    }
}

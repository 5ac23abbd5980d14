package io.ecfs.datanode.server;

import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes of chunks that went out and came in since the start, whoever asked. What is read from files directly is not
 * seen. Safe for use by several threads.
 */
final class ServedBytes {
    private final LongAdder read = new LongAdder();
    private final LongAdder written = new LongAdder();

    void addRead(long bytes) {
        read.add(bytes);
    }

    void addWritten(long bytes) {
        written.add(bytes);
    }

    long read() {
        return read.sum();
    }

    long written() {
        return written.sum();
    }
}

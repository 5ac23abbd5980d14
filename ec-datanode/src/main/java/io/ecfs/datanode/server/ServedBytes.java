package io.ecfs.datanode.server;

import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes of chunks that were sent and received since the start, for all callers. Local reads from the files are not
 * counted. Safe for use by several threads.
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

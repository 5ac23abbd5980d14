package io.ecfs.datanode.server.load;

import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes of chunks that were sent and received since the start, for all callers. Local reads from the files are not
 * counted. Safe for use by several threads.
 */
public final class ServedBytes {
    private final LongAdder read = new LongAdder();
    private final LongAdder written = new LongAdder();

    public void addRead(long bytes) {
        read.add(bytes);
    }

    public void addWritten(long bytes) {
        written.add(bytes);
    }

    public long read() {
        return read.sum();
    }

    public long written() {
        return written.sum();
    }
}

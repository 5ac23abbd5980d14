package io.ecfs.namenode.audit;

import java.io.IOException;

/** Destination of the lines of an audit log. Called by one thread at a time. */
public interface AuditSink extends AutoCloseable {
    /**
     * Writes lines that end with a newline each.
     *
     * @throws IOException when not all of it could be written: nothing of it is in the log then, and the caller writes
     *     the same again
     */
    void write(String lines) throws IOException;

    @Override
    default void close() throws IOException {}
}

package io.ecfs.torture.load;

import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Operation;
import java.io.IOException;

/** A file that a thread has open for writing: how far it is, and from when on it goes on. For one thread. */
final class FileBeingWritten {
    private final Calls calls;
    private final EcfsOutputStream stream;
    private final long tag;
    private final long most;
    private final boolean syncAtClose;
    private long written;
    private long idleUntilNanos;

    FileBeingWritten(Calls calls, EcfsOutputStream stream, long tag, long most, boolean syncAtClose) {
        this.calls = calls;
        this.stream = stream;
        this.tag = tag;
        this.most = most;
        this.syncAtClose = syncAtClose;
    }

    boolean full() {
        return written == most;
    }

    boolean due(long nanos) {
        return nanos - idleUntilNanos >= 0;
    }

    void idleUntil(long nanos) {
        idleUntilNanos = nanos;
    }

    /**
     * Writes some more bytes and has them acknowledged.
     *
     * @return false when the file was lost: its writer can do no more
     */
    boolean writeAndFlush(long bytes, boolean sync) throws IOException {
        return write(bytes)
                && calls.make(new Operation.Flush(tag, written, sync), () -> {
                            if (sync) {
                                stream.hsync();
                            } else {
                                stream.hflush();
                            }
                            return new Answer.Done();
                        })
                        instanceof Answer.Done;
    }

    /**
     * Writes without waiting for an acknowledgement.
     *
     * @return false when the file was lost
     */
    boolean write(long bytes) {
        long to = Math.min(most, written + bytes);
        byte[] next = TaggedBytes.of(tag, written, to);
        written = to; // also when it fails: some of it may arrive
        try {
            stream.write(next);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    void close() throws IOException {
        calls.make(new Operation.Close(tag, written, syncAtClose), () -> {
            stream.close();
            return new Answer.Done();
        });
    }
}

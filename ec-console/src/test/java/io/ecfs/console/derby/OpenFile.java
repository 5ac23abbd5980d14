package io.ecfs.console.derby;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One file of a database, shared by all its handles. It is read as any file is until the first write, which opens it for
 * update. A write returns when it is submitted, as one into the page cache of an operating system does: reads wait for
 * it, and {@link #sync} fails when it failed, as everything does from then on. Safe for use by several threads.
 */
final class OpenFile {
    /** Bytes that are submitted and not awaited. */
    private static final int MOST_SUBMITTED = 8 << 20;

    private final EcfsClient client;
    private final FilePath path;

    @GuardedBy("this")
    private Optional<FileReader> reader = Optional.empty();

    @GuardedBy("this")
    private Optional<UpdatableFile> updated = Optional.empty();

    /** Of the last write; those before are done when it is. */
    @GuardedBy("this")
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    @GuardedBy("this")
    private long submitted;

    @GuardedBy("this")
    private long changes;

    OpenFile(EcfsClient client, FilePath path) {
        this.client = client;
        this.path = path;
    }

    FilePath path() {
        return path;
    }

    synchronized UpdatableFile forUpdate() throws IOException {
        if (updated.isEmpty()) {
            updated = Optional.of(
                    Await.result(client.update(path, UpdateOptions.defaults().create(true))));
            reader = Optional.empty();
        }
        return updated.get();
    }

    private synchronized FileReader forReading() throws IOException {
        if (reader.isEmpty()) {
            reader = Optional.of(Await.result(client.open(path)));
        }
        return reader.get();
    }

    private synchronized Optional<UpdatableFile> updated() {
        return updated;
    }

    /** Grows with every change of the file. */
    synchronized long changes() {
        return changes;
    }

    long length() throws IOException {
        Optional<UpdatableFile> file = updated();
        return file.isPresent() ? file.get().length() : forReading().length();
    }

    void write(long position, byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer copy = ByteBuffer.wrap(Arrays.copyOfRange(bytes, offset, offset + length));
        UpdatableFile file = forUpdate();
        submitted(length, () -> file.write(position, copy));
    }

    void setLength(long length) throws IOException {
        UpdatableFile file = forUpdate();
        submitted(0, () -> file.truncate(length));
    }

    private interface Submission {
        CompletableFuture<Void> submit();
    }

    private void submitted(int bytes, Submission submission) throws IOException {
        boolean full;
        synchronized (this) {
            last = submission.submit();
            changes++;
            submitted += bytes;
            full = submitted > MOST_SUBMITTED;
        }
        if (full) {
            written();
        }
    }

    private void written() throws IOException {
        CompletableFuture<Void> writes;
        synchronized (this) {
            writes = last;
            submitted = 0;
        }
        Await.result(writes);
    }

    /** Fills the target unless the file ends before; -1 at its end. */
    int read(long position, ByteBuffer target) throws IOException {
        written();
        Optional<UpdatableFile> file = updated();
        return Await.result(
                file.isPresent()
                        ? file.get().read(position, target)
                        : forReading().readLater(position, target));
    }

    void sync() throws IOException {
        Optional<UpdatableFile> file = updated();
        if (file.isPresent()) {
            Await.result(file.get().sync());
        }
    }

    void close() throws IOException {
        Optional<UpdatableFile> file = updated();
        if (file.isPresent()) {
            written();
            file.get().close();
        }
    }
}

package io.ecfs.console.derby;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The files of databases that this process has open, and the namespace they are in. Safe for use by several threads. */
final class OpenFiles {
    private static final int PAGE = 1000;

    private final EcfsClient client;

    @GuardedBy("this")
    private final Map<FilePath, Shared> open = new HashMap<>();

    private static final class Shared {
        final OpenFile file;
        int handles;

        Shared(OpenFile file) {
            this.file = file;
        }
    }

    OpenFiles(EcfsClient client) {
        this.client = client;
    }

    EcfsClient client() {
        return client;
    }

    synchronized OpenFile open(FilePath path) {
        Shared shared = open.computeIfAbsent(path, absent -> new Shared(new OpenFile(client, path)));
        shared.handles++;
        return shared.file;
    }

    /** Closes the file with its last handle. */
    synchronized void close(OpenFile file) throws IOException {
        Shared shared = open.get(file.path());
        if (shared != null && shared.file == file && --shared.handles == 0) {
            open.remove(file.path());
            file.close();
        }
    }

    /** Closes a file that is about to be deleted or renamed. */
    synchronized void end(FilePath path) throws IOException {
        Shared shared = open.remove(path);
        if (shared != null) {
            shared.file.close();
        }
    }

    private synchronized TreeSet<FilePath> paths() {
        return new TreeSet<>(open.keySet());
    }

    Optional<FileStatus> status(FilePath path) throws IOException {
        try {
            return Optional.of(Await.result(client.status(path)));
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    List<FileStatus> list(FilePath directory) throws IOException {
        return Await.result(client.list(directory, "", PAGE)).entries();
    }

    EcfsOutputStream create(FilePath path, boolean overwrite) throws IOException {
        return Await.result(client.create(path, CreateOptions.defaults().withOverwrite(overwrite)));
    }

    /**
     * Ends the leases that others have on files in a directory: what was acknowledged to them is there, and nothing is
     * any more after this.
     */
    void fence(FilePath directory, FilePath but) throws IOException {
        TreeSet<FilePath> ours = paths();
        for (FileStatus entry : list(directory)) {
            if (entry.directory()) {
                fence(entry.path(), but);
            } else if (entry.open() && !entry.path().equals(but) && !ours.contains(entry.path())) {
                LeaseEnd.await(client, entry.path());
            }
        }
    }
}

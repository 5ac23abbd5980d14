package io.ecfs.env.real;

import io.ecfs.env.FileSystemSync;
import java.util.Optional;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the {@link FileSystemSync} of this process. */
public final class FileSystemSyncs {
    private static final Logger LOG = LoggerFactory.getLogger(FileSystemSyncs.class);

    private FileSystemSyncs() {}

    /**
     * The first adapter on the class path that can be used here; empty when none can: then files are synced one by one.
     */
    public static Optional<FileSystemSync> find() {
        for (FileSystemSync sync : ServiceLoader.load(FileSystemSync.class, FileSystemSyncs.class.getClassLoader())) {
            Optional<String> failure = sync.failure();
            if (failure.isEmpty()) {
                return Optional.of(sync);
            }
            LOG.warn(
                    "event=file_system_sync_unavailable adapter={} reason=\"{}\"",
                    sync.getClass().getSimpleName(),
                    failure.get());
        }
        return Optional.empty();
    }
}

package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;

/** {@link RecoverableFileSystem} with Hadoop's deletion of many files at once, which Hadoop has from 3.4.1 on. */
public final class BulkFileSystem extends RecoverableFileSystem {
    /** Constructor for Hadoop, which calls {@link #initialize} next. */
    public BulkFileSystem() {}

    /** A file system over a client, which it closes with itself. */
    BulkFileSystem(EcfsClient client) {
        super(client);
    }

    @Override
    public BulkDelete createBulkDelete(Path path) {
        return new BulkDeletes(client, makeQualified(path), this::filePath);
    }
}

package io.ecfs.client.read;

import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply.Located;
import io.ecfs.message.namespace.NamespaceReply.LocatedAll;
import io.ecfs.message.namespace.NamespaceRequest.Locate;
import io.ecfs.message.namespace.NamespaceRequest.LocateAll;
import java.util.concurrent.CompletableFuture;

/** Requests of readers to the namenode; replies fail as the requests specify. */
public interface Lookup {
    CompletableFuture<Located> locate(Locate file);

    CompletableFuture<LocatedAll> locateAll(LocateAll files);

    /** A file wherever it is by now. */
    CompletableFuture<FileStatus> status(InodeId inode);
}

package io.ecfs.client.read;

import io.ecfs.layout.InodeId;
import io.ecfs.message.FileStatus;
import io.ecfs.message.NamespaceReply.Located;
import io.ecfs.message.NamespaceReply.LocatedAll;
import io.ecfs.message.NamespaceRequest.Locate;
import io.ecfs.message.NamespaceRequest.LocateAll;
import java.util.concurrent.CompletableFuture;

/** What readers ask the namenode; answers fail as the requests say. */
public interface Lookup {
    CompletableFuture<Located> locate(Locate file);

    CompletableFuture<LocatedAll> locateAll(LocateAll files);

    /** A file wherever it is by now. */
    CompletableFuture<FileStatus> status(InodeId inode);
}

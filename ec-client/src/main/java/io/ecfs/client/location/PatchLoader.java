package io.ecfs.client.location;

import io.ecfs.message.namespace.NamespaceReply;
import java.util.concurrent.CompletableFuture;

/** Reads from the patch groups of a file which of its bytes they have. */
public interface PatchLoader {
    /**
     * @param located of a file with patches
     * @param base the locations of the bytes under its patches, of the same answer
     * @return the locations of its newest bytes; fails with {@code GROUP_UNREADABLE}, also when a group is gone because
     *     the file was compacted meanwhile
     */
    CompletableFuture<PatchedLocations> load(NamespaceReply.Located located, ExtentLocations base);
}

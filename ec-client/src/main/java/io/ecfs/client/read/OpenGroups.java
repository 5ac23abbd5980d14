package io.ecfs.client.read;

import io.ecfs.message.namespace.LocatedGroup;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Readable segments of groups that are being written. */
@FunctionalInterface
public interface OpenGroups {
    /**
     * @param fileOffset offset in the file at which the group begins
     * @return the segments that readers may read, none while the group is empty; fails with {@code GROUP_UNREADABLE}
     */
    CompletableFuture<List<Segment>> segments(LocatedGroup group, long fileOffset);
}

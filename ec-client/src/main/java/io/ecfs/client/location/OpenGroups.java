package io.ecfs.client.location;

import io.ecfs.layout.Extent;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Readable segments of groups that are being written. */
public interface OpenGroups {
    /**
     * @param fileOffset offset in the file at which the group begins
     * @return the segments that readers may read, none while the group is empty; fails with {@code GROUP_UNREADABLE}
     */
    CompletableFuture<List<Segment>> segments(LocatedGroup group, long fileOffset);

    /**
     * @param extent of a closed file in the group, which a pack is filling: all of it was acknowledged
     * @return its segments; fails with {@code GROUP_UNREADABLE}
     */
    CompletableFuture<List<Segment>> packed(LocatedGroup group, Extent extent);
}

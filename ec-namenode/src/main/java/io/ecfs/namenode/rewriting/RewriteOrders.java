package io.ecfs.namenode.rewriting;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Range;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.RewriteLayout;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes the orders to fill new groups. Owner thread: the namenode's event thread. */
final class RewriteOrders {
    /** A rewrite takes at most this long, and a second more for each {@value #SLOWEST} bytes. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private static final long SLOWEST = 256 << 10;

    private final Locator locator;

    RewriteOrders(Locator locator) {
        this.locator = locator;
    }

    /** Time that the rewrite of a group of so many bytes may take. */
    static Duration deadline(long bytes) {
        return DEADLINE.plusSeconds(bytes / SLOWEST);
    }

    /**
     * The order to fill a group with these pieces.
     *
     * @param volume of the datanode that executes it
     * @throws EcfsException {@code FILE_CHANGED} when a source is not sealed, or gone
     */
    DatanodeOrder.Rewrite order(
            MetadataView view, List<RewritePiece> pieces, GroupFacts group, VolumeId volume, DatanodeId datanode)
            throws EcfsException {
        Duration deadline = deadline(group.policy().groupBytes());
        List<Group> sources = new ArrayList<>();
        for (GroupId id :
                pieces.stream().map(piece -> piece.extent().group()).distinct().toList()) {
            GroupFacts source = view.sealedGroup(id)
                    .orElseThrow(() -> new EcfsException(ErrorCode.FILE_CHANGED, "group " + id + " is gone"));
            sources.add(group(locator.locateFor(datanode, source, deadline), source.length()));
        }
        return new DatanodeOrder.Rewrite(
                volume,
                group(locator.locateFor(datanode, group, deadline), 0),
                sources,
                ranges(pieces, RewriteLayout.of(group.policy(), pieces)));
    }

    private static List<Range> ranges(List<RewritePiece> pieces, RewriteLayout layout) {
        List<Range> ranges = new ArrayList<>(pieces.size());
        for (int i = 0; i < pieces.size(); i++) {
            Extent extent = pieces.get(i).extent();
            ranges.add(new Range(
                    extent.group(),
                    extent.groupOffset(),
                    extent.length(),
                    layout.begins().get(i)));
        }
        return ranges;
    }

    private static Group group(LocatedGroup located, long length) {
        return new Group(located.group(), located.policy(), length, located.chunks(), located.token());
    }
}

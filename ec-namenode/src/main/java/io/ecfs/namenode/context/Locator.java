package io.ecfs.namenode.context;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.GroupLayout.ChunkRange;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import java.time.Duration;
import java.util.List;

/**
 * Adds to a group's facts what a client needs to read or write it: addresses, liveness, a token. Owner thread: the
 * namenode's event thread.
 */
public final class Locator {
    private final ClusterView cluster;
    private final TokenIssuer tokens;

    public Locator(ClusterView cluster, TokenIssuer tokens) {
        this.cluster = cluster;
        this.tokens = tokens;
    }

    /** @throws EcfsException {@code SAFE_MODE} when there is no key to sign with yet */
    public LocatedGroup locate(GroupFacts group, Right right, String user) throws EcfsException {
        LocatedGroup located = located(group, tokens.forUser(group, right, user));
        return right == Right.WRITE && group.open() ? withRelay(located) : located;
    }

    /**
     * Locates a group to read these extents of it. In a pack the bytes of other files are beside them, which not
     * everybody may reach who reads this one: the token is for their stripes alone.
     *
     * @param owner of the file, whose the others are too
     * @throws EcfsException as {@link #locate}
     */
    public LocatedGroup locateToRead(GroupFacts group, List<Extent> extents, String owner, String user)
            throws EcfsException {
        // Nothing is read of what lies behind the end: it is lost.
        List<Extent> there = extents.stream()
                .filter(extent -> extent.groupOffset() + extent.length() <= group.length())
                .toList();
        if (!PackedGroups.packed(group) || group.open() || owner.equals(user) || there.isEmpty()) {
            return locate(group, Right.READ, user);
        }
        long from = there.stream().mapToLong(Extent::groupOffset).min().orElseThrow();
        long to = there.stream()
                .mapToLong(e -> e.groupOffset() + e.length())
                .max()
                .orElseThrow();
        GroupLayout layout = new GroupLayout(group.policy(), group.length());
        ChunkRange range = layout.columns(layout.cells(from, to));
        return located(group, tokens.forUser(group, range, user));
    }

    private LocatedGroup withRelay(LocatedGroup located) {
        return new LocatedGroup(
                located.group(),
                located.policy(),
                located.length(),
                located.chunks(),
                located.token(),
                tokens.relay(located.token(), located.policy(), located.relayTargets()),
                located.ring());
    }

    /**
     * Locates a group for a datanode that reads it.
     * @throws EcfsException as {@link #locate}
     */
    public LocatedGroup locateFor(DatanodeId datanode, GroupFacts group) throws EcfsException {
        return located(group, tokens.forDatanode(group, datanode, Duration.ZERO));
    }

    /**
     * Locates a sealed group for a datanode that reads it until a deadline, or an open one that it fills.
     * @throws EcfsException as {@link #locate}
     */
    public LocatedGroup locateFor(DatanodeId datanode, GroupFacts group, Duration deadline) throws EcfsException {
        return located(
                group,
                group.open()
                        ? tokens.forFilling(group, datanode, deadline)
                        : tokens.forDatanode(group, datanode, deadline));
    }

    private LocatedGroup located(GroupFacts group, BlockToken token) {
        List<ChunkLocation> chunks = group.stored().stream()
                .flatMap(stored -> cluster.topology().location(stored, state(group, stored)).stream())
                .toList();
        long length = group.open() ? LocatedGroup.OPEN : group.length();
        return new LocatedGroup(group.group(), group.policy(), length, chunks, token)
                .in(cluster.rings().ringOf(group));
    }

    private ChunkLocation.State state(GroupFacts group, ChunkOnVolume stored) {
        if (!cluster.healthyOwner(stored.volume()) || cluster.away(stored.volume())) {
            return ChunkLocation.State.UNREACHABLE;
        }
        // A group being written is not reported chunk by chunk yet.
        if (!group.open() && !cluster.live(group, stored)) {
            return cluster.lastResort(group, stored) ? ChunkLocation.State.LAST_RESORT : ChunkLocation.State.MISSING;
        }
        return cluster.inMaintenance(stored.volume()) ? ChunkLocation.State.LAST_RESORT : ChunkLocation.State.LIVE;
    }
}

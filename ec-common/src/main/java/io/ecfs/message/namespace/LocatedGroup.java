package io.ecfs.message.namespace;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A group with where its chunks lie and the token to touch them.
 *
 * @param length user bytes when sealed; -1 while it is open
 * @param chunks at most one for each index, in index order; an index that is not there has no chunk at present
 * @param relay to have one of the datanodes write all these chunks ({@link #relayTargets}), with the stamp of
 *     {@code token}; of an open group, to its writer, from {@link FeatureLevel#ENCODING_SIDES} on
 * @param ring on whose volumes alone its chunks lie, some of which write at a time; empty: in none, or told by a
 *     namenode below {@link FeatureLevel#RINGS}
 */
public record LocatedGroup(
        GroupId group,
        Policy policy,
        long length,
        List<ChunkLocation> chunks,
        BlockToken token,
        Optional<RelayToken> relay,
        Optional<RingId> ring) {
    public static final long OPEN = -1;

    public LocatedGroup {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(ring, "ring");
        chunks = List.copyOf(chunks);
        int previous = -1;
        for (ChunkLocation location : chunks) {
            int index = location.chunk().index();
            if (!location.chunk().group().equals(group) || index <= previous || index >= policy.chunks()) {
                throw new IllegalArgumentException(
                        "chunks of " + group + " must be its own, each index once and in order: "
                                + chunks.stream().map(c -> c.chunk().toString()).collect(Collectors.joining(" ")));
            }
            previous = index;
        }
        if (relay.filter(r -> length != OPEN || !r.group().equals(group) || r.stamp() != token.stamp())
                .isPresent()) {
            throw new IllegalArgumentException("a relay token of another group, or of one that is not open: " + group);
        }
    }

    /** In no ring. */
    public LocatedGroup(
            GroupId group,
            Policy policy,
            long length,
            List<ChunkLocation> chunks,
            BlockToken token,
            Optional<RelayToken> relay) {
        this(group, policy, length, chunks, token, relay, Optional.empty());
    }

    /** Without a relay token, in no ring. */
    public LocatedGroup(GroupId group, Policy policy, long length, List<ChunkLocation> chunks, BlockToken token) {
        this(group, policy, length, chunks, token, Optional.empty(), Optional.empty());
    }

    /** The same group in a ring. */
    public LocatedGroup in(Optional<RingId> itsRing) {
        return new LocatedGroup(group, policy, length, chunks, token, relay, itsRing);
    }

    /** The targets that {@link #relay} is signed over. */
    public List<RelayTarget> relayTargets() {
        return chunks.stream()
                .map(location -> new RelayTarget(location.chunk(), location.address()))
                .toList();
    }

    public boolean open() {
        return length == OPEN;
    }

    public Optional<ChunkLocation> chunk(int index) {
        return chunks.stream().filter(c -> c.chunk().index() == index).findFirst();
    }
}

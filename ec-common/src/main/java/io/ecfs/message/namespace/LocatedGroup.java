package io.ecfs.message.namespace;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
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
 */
public record LocatedGroup(
        GroupId group,
        Policy policy,
        long length,
        List<ChunkLocation> chunks,
        BlockToken token,
        Optional<RelayToken> relay) {
    public static final long OPEN = -1;

    public LocatedGroup {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(token, "token");
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

    /** Without a relay token. */
    public LocatedGroup(GroupId group, Policy policy, long length, List<ChunkLocation> chunks, BlockToken token) {
        this(group, policy, length, chunks, token, Optional.empty());
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

package io.ecfs.message.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LocatedGroupTest {
    private static final GroupId GROUP = new GroupId(7);

    private static LocatedGroup of(Integer... indexes) {
        return of(Arrays.stream(indexes)
                .map(index -> location(new ChunkId(GROUP, index, 0)))
                .toList());
    }

    private static LocatedGroup of(List<ChunkLocation> chunks) {
        BlockToken token = new BlockToken(
                GROUP, Stamp.NONE, BlockToken.Right.READ, Long.MAX_VALUE, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        return new LocatedGroup(GROUP, Policy.parse("rs-3-2-4k"), 1000, chunks, token);
    }

    private static ChunkLocation location(ChunkId chunk) {
        return new ChunkLocation(
                chunk,
                new VolumeId(chunk.index() + 1),
                new DatanodeId("dn" + chunk.index()),
                new Address("dn" + chunk.index(), 1),
                "/rack",
                ChunkLocation.State.LIVE);
    }

    // HDDS-6259, HDDS-7407, HDDS-8276
    @Test
    void chunksInAnotherOrderTwiceOrOfAnotherGroupAreNoGroup() {
        assertThat(of(0, 1, 2, 3, 4).chunks()).hasSize(5);
        assertThat(of(1, 4).chunk(4)).contains(location(new ChunkId(GROUP, 4, 0)));
        assertThat(of(1, 4).chunk(0)).isEmpty();
        for (Integer[] wrong : List.of(
                new Integer[] {1, 0, 2, 3, 4},
                new Integer[] {4, 3, 2, 1, 0},
                new Integer[] {0, 1, 1, 2},
                new Integer[] {0, 5})) {
            assertThatThrownBy(() -> of(wrong)).hasMessageContaining("each index once and in order");
        }
        List<ChunkLocation> foreign = IntStream.range(0, 5)
                .mapToObj(index -> location(new ChunkId(new GroupId(index == 2 ? 8 : 7), index, 0)))
                .toList();
        assertThatThrownBy(() -> of(foreign)).hasMessageContaining("must be its own");
    }

    private static LocatedGroup relayed(long length, GroupId group, int stamp) {
        BlockToken token = new BlockToken(
                GROUP, Stamp.NONE, BlockToken.Right.WRITE, Long.MAX_VALUE, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        RelayToken relay = new RelayToken(group, stamp, Long.MAX_VALUE, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        return new LocatedGroup(GROUP, Policy.parse("rs-3-2-4k"), length, of(0, 2).chunks(), token, Optional.of(relay));
    }

    @Test
    void onlyAnOpenGroupHasARelayTokenAndOnlyItsOwn() {
        assertThat(relayed(LocatedGroup.OPEN, GROUP, Stamp.NONE).relayTargets())
                .containsExactly(
                        new RelayTarget(new ChunkId(GROUP, 0, 0), new Address("dn0", 1)),
                        new RelayTarget(new ChunkId(GROUP, 2, 0), new Address("dn2", 1)));
        assertThatThrownBy(() -> relayed(1000, GROUP, Stamp.NONE)).hasMessageContaining("not open");
        assertThatThrownBy(() -> relayed(LocatedGroup.OPEN, new GroupId(8), Stamp.NONE))
                .hasMessageContaining("another group");
        assertThatThrownBy(() -> relayed(LocatedGroup.OPEN, GROUP, Stamp.NONE + 1))
                .hasMessageContaining("another group");
    }
}

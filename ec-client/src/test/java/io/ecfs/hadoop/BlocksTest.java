package io.ecfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkLocation.State;
import io.ecfs.message.namespace.LocatedGroup;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.BlockLocation;
import org.junit.jupiter.api.Test;

/** Chunk i lies on host dni. */
class BlocksTest {
    private static final int CELL = 65_536;
    private static final GroupId GROUP = new GroupId(7);
    private static final BlockToken TOKEN =
            new BlockToken(GROUP, Stamp.NONE, BlockToken.Right.READ, 0, 0, new byte[BlockToken.SIGNATURE_BYTES]);

    private static LocatedGroup group(String policy, long length, IntFunction<State> states) {
        Policy parsed = Policy.parse(policy);
        List<ChunkLocation> chunks = IntStream.range(0, parsed.chunks())
                .mapToObj(i -> new ChunkLocation(
                        new ChunkId(GROUP, i, 0),
                        new VolumeId(i + 1),
                        new DatanodeId("dn" + i),
                        new Address("dn" + i, 1),
                        "/rack" + i,
                        states.apply(i)))
                .toList();
        return new LocatedGroup(GROUP, parsed, length, chunks, TOKEN);
    }

    private static List<String> hosts(LocatedGroup group, long from, long to) throws IOException {
        Extent extent = new Extent(1000, group.length(), GROUP, 0);
        BlockLocation block = Blocks.block(extent, group, 1000 + from, 1000 + to);
        assertThat(block.getOffset()).isEqualTo(1000 + from);
        assertThat(block.getLength()).isEqualTo(to - from);
        assertThat(block.getNames()).hasSameSizeAs(block.getHosts());
        assertThat(block.getTopologyPaths()).hasSameSizeAs(block.getHosts());
        return List.of(block.getHosts());
    }

    @Test
    void manyStripesLieOnTheDataChunksAlone() throws IOException {
        LocatedGroup group = group("rs-3-2-64k", 30L * CELL, i -> State.LIVE);
        assertThat(hosts(group, 0, 30L * CELL)).containsExactly("dn0", "dn1", "dn2");
    }

    @Test
    void aRunWithinACellLiesOnOneDatanode() throws IOException {
        LocatedGroup group = group("rs-3-2-64k", 30L * CELL, i -> State.LIVE);
        assertThat(hosts(group, 4L * CELL, 5L * CELL)).containsExactly("dn1");
        assertThat(hosts(group, 4L * CELL - 1, 4L * CELL)).containsExactly("dn0");
    }

    @Test
    void whoeverHasMostOfARunComesFirst() throws IOException {
        LocatedGroup group = group("rs-3-2-64k", 30L * CELL, i -> State.LIVE);
        assertThat(hosts(group, 4L * CELL - 10, 5L * CELL + 20)).containsExactly("dn1", "dn2", "dn0");
    }

    @Test
    void aFileShorterThanAStripeLiesWhereItsTailWasSpread() throws IOException {
        LocatedGroup group = group("rs-3-2-64k", 100, i -> State.LIVE);
        assertThat(hosts(group, 0, 100)).containsExactly("dn0", "dn1");
    }

    @Test
    void everyReplicaHoldsAllBytes() throws IOException {
        LocatedGroup group = group("replication-3-64k", 30L * CELL, i -> State.LIVE);
        assertThat(hosts(group, 7, 8)).containsExactly("dn0", "dn1", "dn2");
    }

    @Test
    void aDatanodeThatCannotBeReadIsNotNamed() throws IOException {
        LocatedGroup group = group("rs-3-2-64k", 30L * CELL, i -> i == 1 ? State.UNREACHABLE : State.LIVE);
        assertThat(hosts(group, 0, 30L * CELL)).containsExactly("dn0", "dn2");
        assertThat(hosts(group, 4L * CELL, 5L * CELL))
                .as("those who can give the cell by decoding")
                .containsExactly("dn0", "dn2", "dn3", "dn4");
    }

    @Test
    void onlyWhatTheExtentHasIsItsBlock() throws IOException {
        LocatedGroup group = group("rs-3-2-64k", 30L * CELL, i -> State.LIVE);
        BlockLocation block = Blocks.block(new Extent(1000, 10, GROUP, 2L * CELL), group, 0, 1L << 40);
        assertThat(block.getOffset()).isEqualTo(1000);
        assertThat(block.getLength()).isEqualTo(10);
        assertThat(block.getHosts()).containsExactly("dn2");
    }
}

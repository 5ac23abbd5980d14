package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.layout.CellRange;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;

/**
 * One file as Hadoop's schedulers see it: a block for each range in one group, on the datanodes that have its bytes.
 * HDFS names those of the parity as well, which gives a reader no locality.
 */
record Blocks(EcfsClient client, Path path, FilePath file) {

    /** Blocks of the existing part of [start, start + length). */
    BlockLocation[] locate(long start, long length) throws IOException {
        long end = Math.min(
                HadoopFailures.await(client.status(file), path).length(),
                start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length);
        List<BlockLocation> blocks = new ArrayList<>();
        for (long at = start; at < end; ) {
            NamespaceReply.Located page = HadoopFailures.await(client.locate(file, at, end - at), path);
            if (page.extents().isEmpty()) {
                break;
            }
            Map<GroupId, LocatedGroup> groups = page.groups().stream()
                    .collect(Collectors.toMap(LocatedGroup::group, group -> group, (one, same) -> one));
            for (Extent extent : page.extents()) {
                blocks.add(block(extent, groups.get(extent.group()), start, end));
                at = Math.max(at, extent.fileEnd());
            }
        }
        return blocks.toArray(BlockLocation[]::new);
    }

    /** Intersection of file bytes [from, to) with the extent. */
    static BlockLocation block(Extent extent, LocatedGroup group, long from, long to) {
        long begin = Math.max(from, extent.fileOffset());
        long end = Math.min(to, extent.fileEnd());
        long inGroup = extent.groupOffset() - extent.fileOffset();
        List<ChunkLocation> holders = holders(group, begin + inGroup, end + inGroup);
        String[] names = holders.stream().map(c -> c.address().toString()).toArray(String[]::new);
        String[] hosts = holders.stream().map(c -> c.address().host()).toArray(String[]::new);
        String[] topology = holders.stream()
                .map(c -> (c.rack().startsWith("/") ? "" : "/") + c.rack() + "/" + c.address())
                .toArray(String[]::new);
        return new BlockLocation(names, hosts, topology, begin, end - begin);
    }

    /**
     * Chunks with bytes of group range [from, to), most bytes first; when none of these can be read, the chunks to
     * decode them from.
     */
    private static List<ChunkLocation> holders(LocatedGroup group, long from, long to) {
        List<ChunkLocation> readable = group.chunks().stream()
                .filter(c -> c.state() == ChunkLocation.State.LIVE || c.state() == ChunkLocation.State.LAST_RESORT)
                .toList();
        if (group.policy().dataChunks() == 1 || group.open()) { // of a pack that is open: some may be in tail records
            return readable;
        }
        Map<Integer, Long> bytes = bytesByChunk(new GroupLayout(group.policy(), group.length()), from, to);
        List<ChunkLocation> holders = readable.stream()
                .filter(c -> bytes.containsKey(c.chunk().index()))
                .sorted(Comparator.comparing(c -> -bytes.get(c.chunk().index())))
                .toList();
        return holders.isEmpty() ? readable : holders;
    }

    /**
     * Data chunks with the bytes that they have of a range; of a range longer than a stripe, all have about as many.
     */
    private static Map<Integer, Long> bytesByChunk(GroupLayout layout, long from, long to) {
        long counted = Math.min(to, from + layout.policy().stripeBytes());
        return layout.cells(from, counted).stream()
                .collect(Collectors.groupingBy(CellRange::chunkIndex, Collectors.summingLong(CellRange::bytes)));
    }
}

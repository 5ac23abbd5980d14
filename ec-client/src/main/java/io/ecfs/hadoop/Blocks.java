package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.LocatedGroup;
import io.ecfs.message.NamespaceReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;

/** One file as Hadoop's schedulers see it: a block for each stretch that lies in one group, on all datanodes of its chunks. */
record Blocks(EcfsClient client, Path path, FilePath file) {

    /** Blocks that touch [start, start + length). */
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
                blocks.add(block(extent, groups.get(extent.group())));
                at = Math.max(at, extent.fileEnd());
            }
        }
        return blocks.toArray(BlockLocation[]::new);
    }

    private static BlockLocation block(Extent extent, LocatedGroup group) {
        String[] names =
                group.chunks().stream().map(c -> c.address().toString()).toArray(String[]::new);
        String[] hosts = group.chunks().stream().map(c -> c.address().host()).toArray(String[]::new);
        String[] topology = group.chunks().stream()
                .map(c -> (c.rack().startsWith("/") ? "" : "/") + c.rack() + "/" + c.address())
                .toArray(String[]::new);
        return new BlockLocation(names, hosts, topology, extent.fileOffset(), extent.length());
    }
}

package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.CellRange;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.GroupLayout.ChunkRange;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.transfer.ComposedChecksum;
import io.ecfs.transfer.WindowChecksums;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.DataChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CRC32C of a file's content, independent of its layout: the same as HDFS's COMPOSITE-CRC32C of the same content. It is
 * composed of the checksums that datanodes store of each window of a chunk. Bytes are read only for cells partly in the
 * range, for chunks whose checksums are not available, and behind the sealed groups of an open file. For one thread.
 */
final class ContentChecksum {
    private static final Logger LOG = LoggerFactory.getLogger(ContentChecksum.class);
    private static final int WINDOW = Policy.CHECKSUM_WINDOW_BYTES;
    private static final int READ_BYTES = 4 << 20;

    private final EcfsClient client;
    private final Path path;
    private final FileReader file;
    private final ComposedChecksum crc = new ComposedChecksum();

    private ContentChecksum(EcfsClient client, Path path, FileReader file) {
        this.client = client;
        this.path = path;
        this.file = file;
    }

    /** @param length of the content from its beginning; past the end counts as the end */
    static FileChecksum of(EcfsClient client, Path path, FileReader file, long length) throws IOException {
        long end = Math.min(length, file.length());
        ContentChecksum content = new ContentChecksum(client, path, file);
        content.addAll(end);
        return new CompositeCrcFileChecksum(content.crc.value(), DataChecksum.Type.CRC32C, 0);
    }

    private void addAll(long end) throws IOException {
        for (long at = 0; at < end; ) {
            NamespaceReply.Located page =
                    HadoopFailures.awaitLookup(client.locate(file.status().path(), at, end - at), path);
            Map<GroupId, LocatedGroup> groups = page.groups().stream()
                    .collect(Collectors.toMap(LocatedGroup::group, Function.identity(), (one, same) -> one));
            boolean sameFile = page.status().inode().equals(file.status().inode());
            long before = at;
            for (Extent extent : sameFile ? page.extents() : List.<Extent>of()) {
                LocatedGroup group = groups.get(extent.group());
                boolean sealed = group != null && !group.open();
                if (sealed && extent.fileOffset() <= at && at < Math.min(end, extent.fileEnd())) {
                    long stop = Math.min(end, extent.fileEnd());
                    add(group, at, stop, extent.groupOffset() - extent.fileOffset());
                    at = stop;
                }
            }
            if (at == before) {
                addRead(at, end);
                at = end;
            }
        }
    }

    /** @param shift difference of the group offset to the file offset */
    private void add(LocatedGroup group, long from, long to, long shift) throws IOException {
        GroupLayout layout = new GroupLayout(group.policy(), group.length());
        List<CellRange> cells = layout.cells(from + shift, to + shift);
        Map<Integer, WindowChecksums> windows = windows(group, cells);
        for (CellRange cell : cells) {
            WindowChecksums known = windows.get(cell.chunkIndex());
            if (known != null && wholeWindows(cell, layout.chunkBytes(cell.chunkIndex()))) {
                known.addTo(crc, cell.chunkOffset(), cell.chunkOffset() + cell.bytes());
            } else {
                long begin = cell.groupOffset() - shift;
                addRead(begin, begin + cell.bytes());
            }
        }
    }

    private static boolean wholeWindows(CellRange cell, long chunkBytes) {
        long end = cell.chunkOffset() + cell.bytes();
        return WindowChecksums.whole(cell.chunkOffset(), end, chunkBytes)
                .equals(new ChunkRange(cell.chunkOffset(), end));
    }

    /** The checksums of the chunks that have these cells, requested concurrently; unavailable ones are left out. */
    private Map<Integer, WindowChecksums> windows(LocatedGroup group, List<CellRange> cells)
            throws InterruptedIOException {
        Map<Integer, long[]> ranges = new TreeMap<>();
        for (CellRange cell : cells) {
            long end = cell.chunkOffset() + cell.bytes();
            long[] range = ranges.computeIfAbsent(
                    cell.chunkIndex(), index -> new long[] {cell.chunkOffset() / WINDOW * WINDOW, end});
            range[1] = end;
        }
        Map<ChunkLocation, CompletableFuture<int[]>> asked = new LinkedHashMap<>();
        ranges.forEach((index, range) -> group.chunk(index)
                .filter(chunk -> chunk.state() == ChunkLocation.State.LIVE)
                .ifPresent(chunk -> asked.put(
                        chunk, client.checksums(chunk, range[0], (int) (range[1] - range[0]), group.token()))));
        Map<Integer, WindowChecksums> known = new TreeMap<>();
        for (Map.Entry<ChunkLocation, CompletableFuture<int[]>> one : asked.entrySet()) {
            int index = one.getKey().chunk().index();
            try {
                known.put(index, new WindowChecksums(ranges.get(index)[0], Await.result(one.getValue())));
            } catch (EcfsException e) {
                LOG.info(
                        "event=checksums_not_had chunk={} reason=\"{}\"",
                        one.getKey().chunk(),
                        e.getMessage());
            }
        }
        return known;
    }

    private void addRead(long from, long to) throws IOException {
        CRC32C read = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(to - from, READ_BYTES));
        for (long at = from; at < to; ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
            at += file.read(at, buffer);
            read.update(buffer.flip());
        }
        crc.add((int) read.getValue(), to - from);
    }
}

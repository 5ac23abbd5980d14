package io.ecfs.datanode.rewrite;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.CellRange;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.GroupLayout.ChunkRange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.transfer.ComposedChecksum;
import io.ecfs.transfer.WindowChecksums;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * CRC32C of user bytes of a group with published chunks, composed of the checksums that datanodes store of each window.
 * Bytes are read only where windows are partly in the range, with those between them when they are few.
 *
 * <pre>
 *   a cell's bytes in the range      [ edge |  window  |  window  | ... |  window  | edge ]
 *                                      read   the stored checksums of all            read
 * </pre>
 */
final class RangeChecksum {
    /** Up to so many bytes between two edges are read with them: one request in place of three. */
    private static final long FEW_BYTES = 4L * ChunkPayload.WINDOW_BYTES;

    private final Group group;
    private final List<Part> parts = new ArrayList<>();
    /** By chunk the windows of all its parts. */
    private final Map<Integer, ChunkRange> windows = new TreeMap<>();

    /** Bytes [from, to) of a chunk, to be read or not. */
    private record Part(int index, long from, long to, boolean read) {
        long bytes() {
            return to - from;
        }
    }

    /**
     * @param group with its length
     * @param from begin of the group's bytes
     */
    RangeChecksum(Group group, long from, long to) {
        this.group = group;
        GroupLayout layout = new GroupLayout(group.policy(), group.length());
        for (CellRange cell : layout.cells(from, to)) {
            add(cell, layout.chunkBytes(cell.chunkIndex()));
        }
    }

    private void add(CellRange cell, long chunkBytes) {
        int index = cell.chunkIndex();
        long begin = cell.chunkOffset();
        long end = begin + cell.bytes();
        ChunkRange whole = WindowChecksums.whole(begin, end, chunkBytes);
        boolean edges = whole.from() != begin || whole.to() != end;
        if (edges && whole.to() - whole.from() <= FEW_BYTES) {
            parts.add(new Part(index, begin, end, true));
            return;
        }
        if (begin < whole.from()) {
            parts.add(new Part(index, begin, whole.from(), true));
        }
        parts.add(new Part(index, whole.from(), whole.to(), false));
        windows.merge(index, whole, (one, next) -> new ChunkRange(one.from(), next.to()));
        if (whole.to() < end) {
            parts.add(new Part(index, whole.to(), end, true));
        }
    }

    /** Bytes of chunks that it reads. */
    long bytesToRead() {
        return parts.stream().filter(Part::read).mapToLong(Part::bytes).sum();
    }

    /**
     * The checksum; fails with {@link EcfsException} when a chunk cannot be read.
     *
     * @param failed receives each chunk that could not be read, and why
     */
    CompletableFuture<Integer> compute(ChunkClient client, BiConsumer<ChunkLocation, EcfsException> failed) {
        List<CompletableFuture<Integer>> read = new ArrayList<>();
        Map<Integer, CompletableFuture<int[]>> stored = new HashMap<>();
        try {
            for (Part part : parts) {
                if (part.read()) {
                    read.add(read(client, part, failed));
                }
            }
            for (Map.Entry<Integer, ChunkRange> run : windows.entrySet()) {
                stored.put(run.getKey(), stored(client, run.getKey(), run.getValue(), failed));
            }
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        List<CompletableFuture<?>> all = new ArrayList<>(read);
        all.addAll(stored.values());
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> compose(read, stored));
    }

    private int compose(List<CompletableFuture<Integer>> read, Map<Integer, CompletableFuture<int[]>> stored) {
        ComposedChecksum sum = new ComposedChecksum();
        int reads = 0;
        for (Part part : parts) {
            if (part.read()) {
                sum.add(read.get(reads++).join(), part.bytes());
            } else {
                int index = part.index();
                new WindowChecksums(windows.get(index).from(), stored.get(index).join())
                        .addTo(sum, part.from(), part.to());
            }
        }
        return sum.value();
    }

    private CompletableFuture<Integer> read(
            ChunkClient client, Part part, BiConsumer<ChunkLocation, EcfsException> failed) throws EcfsException {
        ChunkLocation chunk = chunk(part.index());
        return watched(
                chunk,
                client.read(
                                chunk.address(),
                                chunk.chunk(),
                                chunk.volume(),
                                part.from(),
                                (int) part.bytes(),
                                group.token())
                        .thenApply(bytes -> checksum(bytes, part)),
                failed);
    }

    private static int checksum(ChunkBytes read, Part part) {
        try (read) {
            ByteBuf bytes = read.slice(part.from(), part.to());
            return ChunkPayload.crc32c(bytes, bytes.readerIndex(), (int) part.bytes());
        }
    }

    private CompletableFuture<int[]> stored(
            ChunkClient client, int index, ChunkRange run, BiConsumer<ChunkLocation, EcfsException> failed)
            throws EcfsException {
        ChunkLocation chunk = chunk(index);
        return watched(
                chunk,
                client.readChecksums(
                        chunk.address(),
                        chunk.chunk(),
                        chunk.volume(),
                        run.from(),
                        (int) (run.to() - run.from()),
                        group.token()),
                failed);
    }

    private static <T> CompletableFuture<T> watched(
            ChunkLocation chunk, CompletableFuture<T> answer, BiConsumer<ChunkLocation, EcfsException> failed) {
        return answer.whenComplete((done, failure) -> {
            if (failure != null) {
                failed.accept(chunk, EcfsException.of(failure));
            }
        });
    }

    private ChunkLocation chunk(int index) throws EcfsException {
        return group.chunks().stream()
                .filter(location -> location.chunk().index() == index)
                .findFirst()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.GROUP_UNREADABLE,
                        "chunk " + index + " of " + group.group() + " has no place at present"));
    }
}

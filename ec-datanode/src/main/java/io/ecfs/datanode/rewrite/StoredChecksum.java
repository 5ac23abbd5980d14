package io.ecfs.datanode.rewrite;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.CellRange;
import io.ecfs.layout.ChunkId;
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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * CRC32C of user bytes of groups with published chunks, one range behind the other, composed of the checksums that
 * datanodes store of each window. Bytes are read only where a window is partly in a range.
 *
 * <pre>
 *   a cell's bytes in a range        [ edge |  window  |  window  | ... |  window  | edge ]
 *                                      read   the stored checksums of all            read
 * </pre>
 *
 * Ranges are added first, then it is computed, once.
 */
final class StoredChecksum {
    /** Up to so many bytes between two edges are read with them: one request in place of two. */
    private static final long FEW_BYTES = ChunkPayload.WINDOW_BYTES;

    private static final int REQUESTS_AT_ONCE = 32;

    private final List<Part> parts = new ArrayList<>();
    /** The windows of all parts of a chunk, and those between them. */
    private final Map<ChunkId, Windows> windows = new LinkedHashMap<>();

    /** A chunk of a group. */
    private record Source(Group group, ChunkLocation chunk) {}

    private record Windows(Source source, ChunkRange run) {
        Windows and(Windows other) {
            return new Windows(
                    source, new ChunkRange(Math.min(run.from(), other.run.from()), Math.max(run.to(), other.run.to())));
        }
    }

    private sealed interface Part {
        record Zeros(long bytes) implements Part {}

        /** Bytes [from, to) of a chunk, which are read. */
        record Read(Source source, long from, long to) implements Part {
            int bytes() {
                return Math.toIntExact(to - from);
            }
        }

        /** Whole windows [from, to) of a chunk, whose checksums are stored. */
        record Stored(Source source, long from, long to) implements Part {}
    }

    void addZeros(long bytes) {
        parts.add(new Part.Zeros(bytes));
    }

    /**
     * Adds bytes [from, to) of a group.
     *
     * @param group with its length
     * @throws EcfsException {@code GROUP_UNREADABLE} when it has no chunk for some of them
     */
    void add(Group group, long from, long to) throws EcfsException {
        GroupLayout layout = new GroupLayout(group.policy(), group.length());
        for (CellRange cell : layout.cells(from, to)) {
            add(new Source(group, group.chunk(cell.chunkIndex())), cell, layout.chunkBytes(cell.chunkIndex()));
        }
    }

    private void add(Source source, CellRange cell, long chunkBytes) {
        long begin = cell.chunkOffset();
        long end = begin + cell.bytes();
        ChunkRange whole = WindowChecksums.whole(begin, end, chunkBytes);
        boolean edges = whole.from() != begin || whole.to() != end;
        if (edges && whole.to() - whole.from() <= FEW_BYTES) {
            parts.add(new Part.Read(source, begin, end));
            return;
        }
        if (begin < whole.from()) {
            parts.add(new Part.Read(source, begin, whole.from()));
        }
        parts.add(new Part.Stored(source, whole.from(), whole.to()));
        windows.merge(source.chunk().chunk(), new Windows(source, whole), Windows::and);
        if (whole.to() < end) {
            parts.add(new Part.Read(source, whole.to(), end));
        }
    }

    /** Bytes of chunks that it reads. */
    long bytesToRead() {
        return parts.stream()
                .filter(Part.Read.class::isInstance)
                .mapToLong(part -> ((Part.Read) part).bytes())
                .sum();
    }

    /**
     * The checksum; fails with {@link EcfsException} when a chunk cannot be read.
     *
     * @param failed receives each chunk that could not be read, and why
     */
    CompletableFuture<Integer> compute(ChunkClient client, BiConsumer<ChunkLocation, EcfsException> failed) {
        int[] read = new int[parts.size()];
        Map<ChunkId, WindowChecksums> stored = new HashMap<>();
        List<Supplier<CompletableFuture<Runnable>>> requests = new ArrayList<>();
        windows.forEach((chunk, run) ->
                requests.add(() -> watched(run.source(), stored(client, run.source(), run.run()), failed)
                        .thenApply(checksums -> () -> stored.put(chunk, checksums))));
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof Part.Read part) {
                int index = i;
                requests.add(() -> watched(part.source(), read(client, part), failed)
                        .thenApply(checksum -> () -> read[index] = checksum));
            }
        }
        return all(requests.iterator()).thenApply(done -> compose(read, stored));
    }

    /** A few requests at a time; what comes of them is noted when all of these are answered. */
    private static CompletableFuture<Void> all(Iterator<Supplier<CompletableFuture<Runnable>>> requests) {
        if (!requests.hasNext()) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<Runnable>> sent = new ArrayList<>();
        while (requests.hasNext() && sent.size() < REQUESTS_AT_ONCE) {
            sent.add(requests.next().get());
        }
        return CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new))
                .thenCompose(answered -> {
                    sent.forEach(answer -> answer.join().run());
                    return all(requests);
                });
    }

    private int compose(int[] read, Map<ChunkId, WindowChecksums> stored) {
        ComposedChecksum sum = new ComposedChecksum();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof Part.Zeros zeros) {
                sum.addZeros(zeros.bytes());
            } else if (parts.get(i) instanceof Part.Read part) {
                sum.add(read[i], part.bytes());
            } else if (parts.get(i) instanceof Part.Stored part) {
                stored.get(part.source().chunk().chunk()).addTo(sum, part.from(), part.to());
            }
        }
        return sum.value();
    }

    private static CompletableFuture<Integer> read(ChunkClient client, Part.Read part) {
        ChunkLocation chunk = part.source().chunk();
        return client.read(
                        chunk.address(),
                        chunk.chunk(),
                        chunk.volume(),
                        part.from(),
                        part.bytes(),
                        part.source().group().token())
                .thenApply(bytes -> checksum(bytes, part));
    }

    private static int checksum(ChunkBytes read, Part.Read part) {
        try (read) {
            ByteBuf bytes = read.slice(part.from(), part.to());
            return ChunkPayload.crc32c(bytes, bytes.readerIndex(), part.bytes());
        }
    }

    private static CompletableFuture<WindowChecksums> stored(ChunkClient client, Source source, ChunkRange run) {
        ChunkLocation chunk = source.chunk();
        return client.readChecksums(
                        chunk.address(),
                        chunk.chunk(),
                        chunk.volume(),
                        run.from(),
                        (int) (run.to() - run.from()),
                        source.group().token())
                .thenApply(checksums -> new WindowChecksums(run.from(), checksums));
    }

    private static <T> CompletableFuture<T> watched(
            Source source, CompletableFuture<T> answer, BiConsumer<ChunkLocation, EcfsException> failed) {
        return answer.whenComplete((done, failure) -> {
            if (failure != null) {
                failed.accept(source.chunk(), EcfsException.of(failure));
            }
        });
    }
}

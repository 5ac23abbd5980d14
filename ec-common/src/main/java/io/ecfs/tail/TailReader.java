package io.ecfs.tail;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailSource;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.transfer.TailPart;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads bytes of a stripe that is not full yet from the tail logs of its group's chunks: a mirrored stretch from one
 * that has it, a coded record from as many as there are. What cannot be read here is read there, as long as the others
 * have it. Safe for use by several threads.
 */
public final class TailReader {
    /** Of one mirrored stretch. */
    private static final int MOST_BYTES = 1 << 20;

    private final ChunkClient client;
    private final Policy policy;
    private final ErasureCode code;
    private final BlockToken token;
    private final List<TailSource> sources;
    private final Workers workers;
    private final BufferPool scratch;

    /**
     * @param token to read the chunks
     * @param workers decode
     * @param scratch lends the cells of a decode
     */
    public TailReader(
            ChunkClient client,
            Policy policy,
            ErasureCode code,
            BlockToken token,
            List<TailSource> sources,
            Workers workers,
            BufferPool scratch) {
        this.client = client;
        this.policy = policy;
        this.code = code;
        this.token = token;
        this.sources = List.copyOf(sources);
        this.workers = workers;
        this.scratch = scratch;
    }

    /**
     * Group bytes [from, to), which must be less than a stripe.
     *
     * @return the bytes; fails with {@code GROUP_UNREADABLE}
     */
    public CompletableFuture<byte[]> read(long from, long to) {
        byte[] bytes = new byte[Math.toIntExact(to - from)];
        return fill(bytes, from, from, to).thenApply(done -> bytes);
    }

    private CompletableFuture<Void> fill(byte[] into, long begin, long at, long to) {
        if (at >= to) {
            return CompletableFuture.completedFuture(null);
        }
        List<TailSource> mirrors = sources.stream()
                .filter(source -> source.tail().mirroredUntil(at) > at)
                .toList();
        return mirrored(mirrors, 0, at, to).thenCompose(piece -> {
            long end = Math.min(to, piece.offset() + piece.bytes().length);
            System.arraycopy(piece.bytes(), (int) (at - piece.offset()), into, (int) (at - begin), (int) (end - at));
            return fill(into, begin, end, to);
        });
    }

    /** User bytes of the group. */
    private record Piece(long offset, byte[] bytes) {}

    private CompletableFuture<Piece> mirrored(List<TailSource> mirrors, int next, long at, long to) {
        if (next == mirrors.size()) {
            return coded(at);
        }
        int most = (int) Math.min(MOST_BYTES, to - at);
        return read(mirrors.get(next), at, most)
                .handle((part, failure) -> failure == null && part.length() > 0 && part.form() == TailForm.MIRRORED
                        ? CompletableFuture.completedFuture(new Piece(part.offset(), part.bytes()))
                        : mirrored(mirrors, next + 1, at, to))
                .thenCompose(piece -> piece);
    }

    private CompletableFuture<Piece> coded(long at) {
        List<TailSource> cells = sources.stream()
                .filter(source -> source.tail().codedUntil(at) > at)
                .toList();
        List<CompletableFuture<TailPart>> reads = cells.stream()
                .map(source -> read(source, at, policy.cellBytes()))
                .toList();
        return CompletableFuture.allOf(reads.stream()
                        .map(read -> read.exceptionally(failure -> null))
                        .toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> decode(cells, reads, at));
    }

    private CompletableFuture<Piece> decode(List<TailSource> cells, List<CompletableFuture<TailPart>> reads, long at) {
        SortedMap<Integer, TailPart> parts = new TreeMap<>();
        for (int i = 0; i < cells.size(); i++) {
            if (!reads.get(i).isCompletedExceptionally()) {
                TailPart part = reads.get(i).join();
                boolean same = parts.values().stream()
                        .allMatch(other -> other.offset() == part.offset() && other.length() == part.length());
                if (part.form() == TailForm.CODED && part.length() > 0 && same) {
                    parts.put(cells.get(i).location().chunk().index(), part);
                }
            }
        }
        if (!policy.code().decodable(ChunkSet.of(parts.keySet()))) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.GROUP_UNREADABLE,
                    "group " + token.group() + ": byte " + at
                            + " is in no tail log that can be read, and in the coded ones of chunks " + parts.keySet()
                            + " only"));
        }
        TailPart any = parts.get(parts.firstKey());
        return workers.submit(
                () -> new Piece(any.offset(), new TailDecode(policy, code, any.length(), scratch).decode(parts)));
    }

    private CompletableFuture<TailPart> read(TailSource source, long at, int most) {
        return client.readTail(
                source.location().address(),
                source.location().chunk(),
                source.location().volume(),
                at,
                most,
                token);
    }
}

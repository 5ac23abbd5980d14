package io.ecfs.client.read.span;

import io.ecfs.error.Invariant;
import io.ecfs.layout.CellRange;
import io.ecfs.transfer.ChunkBytes;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The bytes of one span, verified or decoded from verified ones. The owner closes it, once. */
public final class SpanBytes implements GroupBytes {
    /**
     * Bytes of one chunk.
     *
     * @param offset of the first one in the chunk
     * @param data borrowed from one of the owned buffers
     */
    record Piece(long offset, ByteBuf data) {
        static Piece of(ChunkBytes bytes) {
            return new Piece(bytes.offset(), bytes.slice(bytes.offset(), bytes.end()));
        }
    }

    private final Span span;
    private final Map<Integer, Piece> pieces;
    private final List<ByteBuf> owned;
    private final AtomicBoolean closed = new AtomicBoolean();

    SpanBytes(Span span, Map<Integer, Piece> pieces, List<ByteBuf> owned) {
        this.span = span;
        this.pieces = Map.copyOf(pieces);
        this.owned = List.copyOf(owned);
    }

    /** The bytes as they came: nothing had to be decoded. Takes the chunks' buffers over. */
    static SpanBytes of(Span span, Map<Integer, ChunkBytes> here) {
        Map<Integer, Piece> pieces = new TreeMap<>();
        List<ByteBuf> owned = new ArrayList<>();
        here.forEach((index, bytes) -> {
            pieces.put(index, Piece.of(bytes));
            owned.add(bytes.payload());
        });
        return new SpanBytes(span, pieces, owned);
    }

    @Override
    public long from() {
        return span.from();
    }

    @Override
    public long to() {
        return span.to();
    }

    /** Bytes of the span that lie in one piece. */
    private record Part(Piece piece, int index, int bytes) {}

    @Override
    public void copyTo(long from, long to, ByteBuffer target) {
        for (Part part : parts(from, to)) {
            ByteBuffer room = target.duplicate().limit(target.position() + part.bytes);
            part.piece.data().getBytes(part.index, room);
            target.position(target.position() + part.bytes);
        }
    }

    @Override
    public List<ByteBuffer> slices(long from, long to) {
        return parts(from, to).stream()
                .map(part -> part.piece.data().nioBuffer(part.index, part.bytes).asReadOnlyBuffer())
                .toList();
    }

    private List<Part> parts(long from, long to) {
        Invariant.check(!closed.get(), "bytes of a span are used after their release");
        List<Part> parts = new ArrayList<>();
        for (CellRange cell : span.cells()) {
            long begin = Math.max(from, cell.groupOffset());
            long end = Math.min(to, cell.groupOffset() + cell.bytes());
            if (begin < end) {
                Piece piece = pieces.get(cell.chunkIndex());
                int at = Math.toIntExact(cell.chunkOffset() + (begin - cell.groupOffset()) - piece.offset());
                parts.add(new Part(piece, piece.data().readerIndex() + at, (int) (end - begin)));
            }
        }
        return parts;
    }

    @Override
    public void close() {
        Invariant.check(closed.compareAndSet(false, true), "bytes of a span are released twice");
        owned.forEach(ByteBuf::release);
    }
}

package io.ecfs.client.read;

import io.ecfs.buffer.BufferPool;
import io.ecfs.client.read.Span.Range;
import io.ecfs.client.read.SpanBytes.Piece;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.error.EcfsException;
import io.ecfs.transfer.ChunkBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes the lost columns of a span from the chunks that are here. It owns those chunks' bytes from its making on;
 * they pass to the result of {@link #run}, or go with {@link #release} when it fails. It belongs to one call and retains
 * nothing (HDFS-16422).
 */
final class SpanDecode {
    private final Span span;
    private final ErasureCode code;
    private final RepairPlan plan;
    private final Range columns;
    private final SortedMap<Integer, ChunkBytes> here;
    private final BufferPool scratch;
    private final List<ByteBuf> owned = new ArrayList<>();

    SpanDecode(
            Span span,
            ErasureCode code,
            RepairPlan plan,
            Range columns,
            SortedMap<Integer, ChunkBytes> here,
            BufferPool scratch) {
        this.span = span;
        this.code = code;
        this.plan = plan;
        this.columns = columns;
        this.here = new TreeMap<>(here);
        this.scratch = scratch;
        here.values().forEach(bytes -> owned.add(bytes.payload()));
    }

    /** Runs, and records the time it took. */
    SpanBytes timed(ReadTimes times) throws EcfsException {
        long began = times.now();
        SpanBytes bytes = run();
        times.decodedSince(began);
        return bytes;
    }

    /** Computes; on a worker. */
    SpanBytes run() throws EcfsException {
        Map<Integer, ByteBuffer> reads = new TreeMap<>();
        for (int index : plan.sources()) {
            reads.put(index, padded(cells(index)));
        }
        Map<Integer, ByteBuffer> outputs = new TreeMap<>();
        Map<Integer, Piece> pieces = new TreeMap<>();
        for (int index : plan.lost()) {
            ByteBuf output = allocate(columns.bytes());
            output.writerIndex(columns.bytes());
            outputs.put(index, output.nioBuffer());
            pieces.put(index, new Piece(columns.from(), output));
        }
        here.forEach((index, bytes) -> pieces.put(index, Piece.of(bytes)));
        if (code.subChunks() == 1) {
            code.repair(plan, reads, outputs);
        } else {
            repairCellByCell(reads, outputs);
        }
        return new SpanBytes(span, pieces, owned);
    }

    void release() {
        owned.forEach(ByteBuf::release);
        owned.clear();
    }

    private void repairCellByCell(Map<Integer, ByteBuffer> reads, Map<Integer, ByteBuffer> outputs)
            throws EcfsException {
        int cellBytes = span.layout().cellBytes(span.cells().get(0).stripe());
        for (int at = 0; at < columns.bytes(); at += cellBytes) {
            Map<Integer, ByteBuffer> cellReads = new TreeMap<>();
            for (Map.Entry<Integer, ByteBuffer> read : reads.entrySet()) {
                cellReads.put(
                        read.getKey(), subChunks(read.getKey(), read.getValue().slice(at, cellBytes)));
            }
            Map<Integer, ByteBuffer> cellOutputs = new TreeMap<>();
            for (Map.Entry<Integer, ByteBuffer> output : outputs.entrySet()) {
                cellOutputs.put(output.getKey(), output.getValue().slice(at, cellBytes));
            }
            code.repair(plan, cellReads, cellOutputs);
        }
    }

    /** The sub-chunks of a cell that the plan asks for, one behind the other. */
    private ByteBuffer subChunks(int index, ByteBuffer cell) throws EcfsException {
        if (plan.readsWhole(index)) {
            return cell;
        }
        int bytes = Math.toIntExact(plan.bytesRead(index, cell.remaining()));
        int subChunkBytes = cell.remaining() / plan.subChunks();
        ByteBuf gathered = allocate(bytes);
        for (SubChunkRange range : plan.reads().get(index)) {
            gathered.writeBytes(cell.slice(range.from() * subChunkBytes, range.count() * subChunkBytes));
        }
        return gathered.nioBuffer();
    }

    /** The received bytes of the columns of a chunk; empty when it stores none of them. */
    private ByteBuf cells(int index) {
        if (!span.hasStored(index, columns)) {
            return Unpooled.EMPTY_BUFFER;
        }
        Range stored = span.stored(index, columns);
        return here.get(index).slice(stored.from(), stored.to());
    }

    /** The columns in one direct piece, padded by the zeros that are not stored. */
    private ByteBuffer padded(ByteBuf stored) throws EcfsException {
        boolean whole = stored.readableBytes() == columns.bytes();
        if (whole && stored.isDirect() && stored.nioBufferCount() == 1) {
            return stored.nioBuffer();
        }
        ByteBuf copy = allocate(columns.bytes());
        copy.writeBytes(stored, stored.readerIndex(), stored.readableBytes());
        copy.writeZero(columns.bytes() - copy.writerIndex());
        return copy.nioBuffer();
    }

    private ByteBuf allocate(int bytes) throws EcfsException {
        ByteBuf buffer = scratch.allocate(bytes);
        owned.add(buffer);
        return buffer;
    }
}

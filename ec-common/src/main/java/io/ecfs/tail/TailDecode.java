package io.ecfs.tail;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.transfer.TailPart;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts a coded tail record together from cells of it. For one call. */
final class TailDecode {
    private final GroupLayout layout;
    private final ErasureCode code;
    private final BufferPool scratch;
    private final List<ByteBuf> lent = new ArrayList<>();

    /** @param length user bytes of the record */
    TailDecode(Policy policy, ErasureCode code, int length, BufferPool scratch) {
        this.layout = new GroupLayout(policy, length);
        this.code = code;
        this.scratch = scratch;
    }

    /** @param parts cells that determine the others, by chunk index */
    byte[] decode(SortedMap<Integer, TailPart> parts) throws EcfsException {
        try {
            SortedMap<Integer, ByteBuffer> cells = new TreeMap<>();
            for (Map.Entry<Integer, TailPart> part : parts.entrySet()) {
                requireStored(part.getKey(), part.getValue());
                ByteBuffer cell = lend();
                cell.duplicate().put(part.getValue().bytes());
                cells.put(part.getKey(), cell);
            }
            addLost(cells);
            byte[] bytes = new byte[Math.toIntExact(layout.length())];
            for (int index = 0, at = 0; at < bytes.length; index++) {
                int length = Math.min(layout.tailCellBytes(), bytes.length - at);
                cells.get(index).duplicate().get(bytes, at, length);
                at += length;
            }
            return bytes;
        } finally {
            lent.forEach(ByteBuf::release);
        }
    }

    private void requireStored(int index, TailPart part) throws EcfsException {
        if (part.bytes().length != layout.chunkBytes(index)) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    "cell " + index + " of a tail record of " + layout.length() + " bytes has " + part.bytes().length
                            + " bytes, not " + layout.chunkBytes(index));
        }
    }

    private void addLost(SortedMap<Integer, ByteBuffer> cells) throws EcfsException {
        ChunkSet here = ChunkSet.of(cells.keySet());
        ChunkSet lost = ChunkSet.range(0, code.dataChunks()).minus(here);
        if (lost.isEmpty()) {
            return;
        }
        if (!(code.plan(lost, here) instanceof RepairPlan plan)) {
            throw new EcfsException(ErrorCode.GROUP_UNREADABLE, "cells " + here + " do not give " + lost);
        }
        Map<Integer, ByteBuffer> reads = new TreeMap<>();
        for (int index : plan.sources()) {
            reads.put(index, subChunks(plan, index, cells.get(index)));
        }
        Map<Integer, ByteBuffer> outputs = new TreeMap<>();
        for (int index : plan.lost()) {
            outputs.put(index, lend());
        }
        code.repair(plan, reads, outputs);
        cells.putAll(outputs);
    }

    private ByteBuffer subChunks(RepairPlan plan, int index, ByteBuffer cell) throws EcfsException {
        if (plan.readsWhole(index)) {
            return cell;
        }
        ByteBuffer gathered = lend();
        int subChunkBytes = cell.remaining() / plan.subChunks();
        for (SubChunkRange range : plan.reads().get(index)) {
            gathered.put(cell.slice(range.from() * subChunkBytes, range.count() * subChunkBytes));
        }
        return gathered.flip();
    }

    /** A cell of zeros. */
    private ByteBuffer lend() throws EcfsException {
        ByteBuf buffer = scratch.allocate(layout.tailCellBytes());
        lent.add(buffer);
        buffer.setZero(0, layout.tailCellBytes());
        return buffer.nioBuffer(0, layout.tailCellBytes());
    }
}

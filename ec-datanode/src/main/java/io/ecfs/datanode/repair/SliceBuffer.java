package io.ecfs.datanode.repair;

import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory of one slice, in one loan: what is read of each source, the rebuilt bytes with room for their checksums before
 * them, and room to compute them a second time. Regions begin at multiples of 64 bytes.
 */
final class SliceBuffer {
    private static final int ALIGNMENT = 64;

    private final Slice slice;
    private final Recipe recipe;
    private final ByteBuf memory;
    /** The same bytes, for access by absolute offsets alone: a {@code ByteBuf} keeps a position of its own while it copies. */
    private final ByteBuffer bytes;

    private final Map<Integer, Integer> readAt = new HashMap<>();
    private final int payloadAt;
    private final int outputAt;
    private final int checkAt;

    SliceBuffer(Slice slice, Recipe recipe, ByteBuf memory) {
        this.slice = slice;
        this.recipe = recipe;
        this.memory = memory;
        this.bytes = memory.nioBuffer(0, memory.capacity());
        int at = 0;
        for (int source : recipe.sources()) {
            readAt.put(source, at);
            at += aligned(readBytes(slice, recipe, source));
        }
        int checksums = ChunkPayload.checksumBytes(slice.storedBytes());
        outputAt = at + aligned(checksums);
        payloadAt = outputAt - checksums;
        checkAt = outputAt + aligned(slice.codedBytes());
    }

    static int bytes(Slice slice, Recipe recipe) {
        int reads = recipe.sources().stream()
                .map(source -> aligned(readBytes(slice, recipe, source)))
                .reduce(0, Math::addExact);
        int outputs = aligned(ChunkPayload.checksumBytes(slice.storedBytes()))
                + (recipe.check().isPresent() ? 2 : 1) * aligned(slice.codedBytes());
        return Math.addExact(reads, outputs);
    }

    private static int readBytes(Slice slice, Recipe recipe, int source) {
        return Math.toIntExact(recipe.planOf(source).bytesRead(source, slice.codedBytes()));
    }

    private static int aligned(int bytes) {
        return Math.multiplyExact(Math.addExact(bytes, ALIGNMENT - 1) / ALIGNMENT, ALIGNMENT);
    }

    /** Puts bytes of a source where its {@code at}-th read byte belongs. Sources may be put by several threads at the same time. */
    void put(int source, int at, ByteBuf from) {
        from.getBytes(from.readerIndex(), bytes.slice(readAt.get(source) + at, from.readableBytes()));
    }

    void zero(int source, int at, int bytes) {
        memory.setZero(readAt.get(source) + at, bytes);
    }

    /** Computes the chunk's bytes. */
    void compute(ErasureCode code) {
        run(code, recipe.plan(), memory.nioBuffer(outputAt, slice.codedBytes()));
    }

    /** Computes them once more from other chunks, where the recipe knows how; false when that gives others. */
    boolean verify(ErasureCode code) {
        if (recipe.check().isEmpty()) {
            return true;
        }
        ByteBuffer second = memory.nioBuffer(checkAt, slice.codedBytes());
        run(code, recipe.check().get(), second);
        return memory.nioBuffer(outputAt, slice.codedBytes()).equals(second);
    }

    private void run(ErasureCode code, RepairPlan plan, ByteBuffer output) {
        Map<Integer, ByteBuffer> reads = new HashMap<>();
        for (int source : plan.sources()) {
            reads.put(source, memory.nioBuffer(readAt.get(source), readBytes(slice, recipe, source)));
        }
        code.repair(plan, reads, Map.of(plan.lost().next(0), output));
    }

    /** The rebuilt bytes that are stored, with their checksums. Borrowed. */
    ByteBuf payload() {
        ByteBuf payload = memory.slice(payloadAt, ChunkPayload.payloadBytes(slice.storedBytes()));
        ChunkPayload.seal(payload, slice.storedBytes());
        return payload;
    }

    void release() {
        memory.release();
    }
}

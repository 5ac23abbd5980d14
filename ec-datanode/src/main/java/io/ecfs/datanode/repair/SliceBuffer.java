package io.ecfs.datanode.repair;

import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.transfer.CellLayout;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of one slice. In one loan: the rebuilt bytes with room for their checksums before them, room to compute
 * them a second time, and a region for each source that is not read as one contiguous range (sub-chunks, or a tail that
 * is not stored to its end). A source read as one range stays in the memory in which it was received. Regions begin at
 * multiples of 64 bytes.
 */
final class SliceBuffer {
    private final Slice slice;
    private final Recipe recipe;
    private final ByteBuf memory;
    /**
     * The same bytes, for access by absolute offsets only: a {@code ByteBuf} changes its own position while it copies.
     */
    private final ByteBuffer bytes;

    private final Map<Integer, Integer> regionAt = new HashMap<>();
    private final Map<Integer, ChunkBytes> whole = new ConcurrentHashMap<>();
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
            if (slice.gathers(recipe, source)) {
                regionAt.put(source, at);
                at += CellLayout.aligned(slice.readBytes(recipe, source));
            }
        }
        outputAt = at + CellLayout.of(slice.storedBytes()).dataAt();
        payloadAt = outputAt - ChunkPayload.checksumBytes(slice.storedBytes());
        checkAt = outputAt + CellLayout.aligned(slice.codedBytes());
    }

    /** Size of the loan. */
    static int bytes(Slice slice, Recipe recipe) {
        int regions = recipe.sources().stream()
                .filter(source -> slice.gathers(recipe, source))
                .map(source -> CellLayout.aligned(slice.readBytes(recipe, source)))
                .reduce(0, Math::addExact);
        int outputs = CellLayout.of(slice.storedBytes()).dataAt()
                + (recipe.check().isPresent() ? 2 : 1) * CellLayout.aligned(slice.codedBytes());
        return Math.addExact(regions, outputs);
    }

    /** Size of the loan and of all that sources send, which is received in separate memory. */
    static long bytesWithAnswers(Slice slice, Recipe recipe) {
        long answers = recipe.sources().stream()
                .mapToLong(source -> ChunkPayload.payloadBytes(slice.readBytes(recipe, source)))
                .sum();
        return bytes(slice, recipe) + answers;
    }

    /**
     * Copies bytes of a source to the place of its {@code at}-th read byte. Several threads may put sources at the same
     * time.
     */
    void put(int source, int at, ByteBuf from) {
        from.getBytes(from.readerIndex(), bytes.slice(regionAt.get(source) + at, from.readableBytes()));
    }

    void zero(int source, int at, int count) {
        memory.setZero(regionAt.get(source) + at, count);
    }

    /** Takes ownership of all that is read of a source. Several threads may add sources at the same time. */
    void keep(int source, ChunkBytes answer) {
        Optional.ofNullable(whole.put(source, answer)).ifPresent(ChunkBytes::close);
    }

    /** Computes the chunk's bytes and the checksums of those that are stored. */
    void compute(ErasureCode code) {
        if (recipe.copies()) {
            memory.setBytes(outputAt, read(recipe.sources().next(0)));
        } else {
            run(code, recipe.plan(), memory.nioBuffer(outputAt, slice.codedBytes()));
        }
        ChunkPayload.seal(payload(), slice.storedBytes());
    }

    /** Computes them once more from other chunks, if the recipe has a second way; false when the results differ. */
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
            reads.put(source, read(source));
        }
        code.repair(plan, reads, Map.of(plan.lost().next(0), output));
    }

    private ByteBuffer read(int source) {
        if (regionAt.containsKey(source)) {
            return memory.nioBuffer(regionAt.get(source), slice.readBytes(recipe, source));
        }
        ByteBuffer there = whole.get(source)
                .slice(slice.offset(), slice.offset() + slice.codedBytes())
                .nioBuffer();
        // Kernels take direct memory only, and a simulated network has none.
        return there.isDirect()
                ? there
                : ByteBuffer.allocateDirect(there.remaining()).put(there).flip();
    }

    /** The rebuilt bytes that are stored, with their checksums, once they are computed. Borrowed. */
    ByteBuf payload() {
        return memory.slice(payloadAt, ChunkPayload.payloadBytes(slice.storedBytes()));
    }

    void release() {
        whole.values().forEach(ChunkBytes::close);
        memory.release();
    }
}

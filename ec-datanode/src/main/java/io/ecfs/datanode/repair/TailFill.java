package io.ecfs.datanode.repair;

import io.ecfs.code.ErasureCode;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.tail.TailReader;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes a chunk whose writer has gone: reads the tail's bytes from the tail records of the group, spreads and
 * encodes them as the writer would have, and puts this chunk's cell behind its full stripes. All datanodes come to
 * cells of one tail, each by itself, and do so again whenever they are asked again.
 */
final class TailFill {
    private static final Logger LOG = LoggerFactory.getLogger(TailFill.class);

    private final DatanodeOrder.FillTail order;
    private final Volume volume;
    private final VolumeQueue queue;
    private final ErasureCode code;
    private final RepairResources shared;
    private final GroupLayout layout;

    TailFill(DatanodeOrder.FillTail order, Volume volume, VolumeQueue queue, ErasureCode code, RepairResources shared) {
        this.order = order;
        this.volume = volume;
        this.queue = queue;
        this.code = code;
        this.shared = shared;
        this.layout = new GroupLayout(order.policy(), order.groupLength());
    }

    CompletableFuture<ChunkRecord> run() {
        // The tail as it comes, all its cells, and the payload of one.
        long needed = layout.tailBytes() + (code.chunks() + 2L) * layout.tailCellBytes();
        long granted = Math.min(needed, shared.memory().totalBytes());
        TailReader reader = new TailReader(
                shared.client(),
                order.policy(),
                code,
                order.token(),
                order.sources(),
                shared.workers(),
                shared.buffers());
        return shared.memory()
                .acquire(granted)
                .thenCompose(got -> reader.read(layout.length() - layout.tailBytes(), layout.length())
                        .thenCompose(tail -> shared.workers().submit(() -> cell(tail)))
                        .thenCompose(this::store)
                        .whenComplete((filled, failure) -> shared.memory().release(granted)));
    }

    private CompletableFuture<ChunkRecord> store(ByteBuf payload) {
        return queue.submit(order.chunk(), () -> {
                    ChunkRecord filled =
                            volume.tails().fill(order.chunk(), order.fence(), order.groupLength(), payload);
                    LOG.info(
                            "event=tail_filled chunk={} groupLength={} tail={}",
                            order.chunk(),
                            order.groupLength(),
                            layout.tailBytes());
                    return filled;
                })
                .whenComplete((filled, failure) -> payload.release());
    }

    /** This chunk's cell, sealed; padding is not stored. */
    private ByteBuf cell(byte[] tail) throws EcfsException {
        int index = order.chunk().index();
        int cellBytes = layout.tailCellBytes();
        int stored = layout.storedCellBytes(layout.fullStripes(), index);
        int checksums = ChunkPayload.checksumBytes(stored);
        ByteBuf payload = shared.buffers().allocate(ChunkPayload.payloadBytes(stored));
        payload.writeZero(checksums);
        if (index < code.dataChunks()) {
            payload.writeBytes(tail, Math.min(tail.length, index * cellBytes), stored);
        } else {
            ByteBuf memory = shared.buffers().allocate(Math.multiplyExact(code.chunks(), cellBytes));
            try {
                memory.setZero(0, memory.capacity());
                memory.setBytes(0, tail); // cell behind cell, as the tail is spread
                ByteBuffer[] cells = new ByteBuffer[code.chunks()];
                Arrays.setAll(cells, i -> memory.nioBuffer(i * cellBytes, cellBytes));
                code.encode(
                        Arrays.copyOfRange(cells, 0, code.dataChunks()),
                        Arrays.copyOfRange(cells, code.dataChunks(), code.chunks()));
                payload.writeBytes(memory, index * cellBytes, stored);
            } finally {
                memory.release();
            }
        }
        ChunkPayload.seal(payload, stored);
        return payload;
    }
}

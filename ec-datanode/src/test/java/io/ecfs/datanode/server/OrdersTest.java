package io.ecfs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.Kernels;
import io.ecfs.datanode.repair.RepairSettings;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.VolumeQueue;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Parcel;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OrdersTest {
    private static final VolumeId V1 = new VolumeId(1);
    private static final int CHUNKS = 40;

    private final ManualTime time = new ManualTime(1);

    /** More deletions wait than are carried out at once when another leader is heard of: those that wait are not its own. */
    @Test
    void ordersOfADeposedLeaderThatStillWaitAreDropped() throws IOException {
        ControlSettings settings = ControlSettings.defaults();
        assertThat(settings.ordersAtOnce()).isLessThan(CHUNKS);
        try (Volume volume = Chunks.open(new MemoryVolumeIo("disk", 64 << 20, new Random(1)), new Random(2))) {
            List<DatanodeOrder> deletions = new ArrayList<>();
            for (int group = 1; group <= CHUNKS; group++) {
                Chunks.finalised(volume, Chunks.id(group, 0), Chunks.CELL);
                deletions.add(new DatanodeOrder.Delete(V1, Chunks.id(group, 0), Stamp.NONE));
            }
            Volumes volumes = new Volumes(
                    List.of(new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 1000), 1, 900, time))));
            volumes.number(Map.of(volume.uuid(), V1));
            Orders orders = orders(volumes, settings);
            orders.take(3, deletions);
            assertThat(orders.waiting()).isEqualTo(CHUNKS - settings.ordersAtOnce());
            orders.take(5, List.of());
            time.advance(Duration.ofMinutes(1));
            assertThat(volume.chunkCount())
                    .as("what ran already may end, what waited is gone")
                    .isEqualTo(CHUNKS - settings.ordersAtOnce());
            ChunkId kept = Chunks.id(CHUNKS, 0);
            orders.take(3, List.of(new DatanodeOrder.Delete(V1, kept, Stamp.NONE)));
            time.advance(Duration.ofMinutes(1));
            assertThat(volume.find(kept)).isPresent();
            orders.take(5, List.of(new DatanodeOrder.Delete(V1, kept, Stamp.NONE)));
            time.advance(Duration.ofMinutes(1));
            assertThat(volume.find(kept)).isEmpty();
        }
    }

    private Orders orders(Volumes volumes, ControlSettings settings) {
        Repairer repairer = new Repairer(
                "dn1", new Nobody(), Kernels.java(), time, time, RepairSettings.defaults(), () -> 0, () -> Double.NaN);
        return new Orders(volumes, time.scheduler("control"), settings, change -> {}, repairer, chunk -> {});
    }

    private static final class Nobody implements Caller {
        @Override
        public CompletableFuture<Parcel> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            payload.release();
            return CompletableFuture.failedFuture(new EcfsException(ErrorCode.UNREACHABLE, "nobody is there"));
        }

        @Override
        public void close() {}
    }
}

package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.VolumeIdentity;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Clock;
import io.ecfs.env.Workers;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two connections that open one chunk on two volumes of a datanode at the same moment, on real threads. */
class OpenRaceTest {
    private static final int CHUNKS = 2_000;
    private static final TokenKey KEY = new TokenKey(1, new byte[TokenKey.SECRET_BYTES], 1_000_000);
    private static final Session SESSION = new Session(new Address("client", 1), "ann", List.of(), "client", "", false);

    private final AtomicInteger opened = new AtomicInteger();

    @Test
    void aChunkIsOpenedOnOneOfTwoVolumesHoweverTheyRace() throws Exception {
        Standstill time = new Standstill();
        List<ServedVolume> served = List.of(volume(1), volume(2));
        Volumes volumes = new Volumes(served);
        volumes.number(Map.of(
                served.get(0).volume().uuid(), new VolumeId(1),
                served.get(1).volume().uuid(), new VolumeId(2)));
        BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
        tokens.keys(List.of(KEY));
        ChunkService service = new ChunkService(
                volumes,
                tokens,
                new BufferPool("reads", 64 << 10),
                32 << 10,
                true,
                change -> {},
                time,
                Optional.empty());
        CyclicBarrier together = new CyclicBarrier(2);
        CompletableFuture<Void> one = CompletableFuture.runAsync(() -> openAll(service, new VolumeId(1), together));
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> openAll(service, new VolumeId(2), together));
        CompletableFuture.allOf(one, other).get(2, TimeUnit.MINUTES);
        for (int group = 1; group <= CHUNKS; group++) {
            ChunkId chunk = id(group, 0);
            assertThat(served.stream().filter(v -> v.volume().find(chunk).isPresent()))
                    .as("volumes that have %s", chunk)
                    .hasSize(1);
        }
        assertThat(opened).hasValue(CHUNKS);
    }

    private void openAll(ChunkService service, VolumeId volume, CyclicBarrier together) {
        for (int group = 1; group <= CHUNKS; group++) {
            ChunkId chunk = id(group, 0);
            Envelope request = new Envelope(
                    new ChunkRequest.OpenChunk(
                            chunk,
                            volume,
                            POLICY,
                            5,
                            BlockTokens.sign(KEY, chunk.group(), Stamp.NONE, Right.WRITE, 500_000)),
                    Unpooled.EMPTY_BUFFER);
            try {
                together.await(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("the other side is gone", e);
            }
            if (!service.handle(SESSION, request).isCompletedExceptionally()) {
                opened.incrementAndGet();
            }
        }
    }

    private static ServedVolume volume(int number) throws IOException {
        Random random = new Random(number);
        Volume volume = Volume.open(
                new MemoryVolumeIo("disk" + number, 64 << 20, random),
                new VolumeIdentity("", "dn1", "uuid", ""),
                Chunks.terms(0),
                () -> new UUID(random.nextLong(), random.nextLong()));
        return new ServedVolume(volume, new VolumeQueue(new OnTheCallersThread(), 100, 100, new Standstill()));
    }

    private static final class Standstill implements Clock {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    }

    private static final class OnTheCallersThread implements Workers {
        @Override
        public <T> CompletableFuture<T> submit(Callable<T> work) {
            try {
                return CompletableFuture.completedFuture(work.call());
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public int queued() {
            return 0;
        }

        @Override
        public void close() {}
    }
}

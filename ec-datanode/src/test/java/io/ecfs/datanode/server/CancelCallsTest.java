package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.finalised;
import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.ManualTime;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Greeting;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.server.WireServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads that are given up by a client, over sockets, at a datanode whose disk is busy. */
@Timeout(300)
class CancelCallsTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final VolumeId V1 = new VolumeId(1);
    private static final TokenKey KEY =
            new TokenKey(1, new byte[TokenKey.SECRET_BYTES], ManualTime.EPOCH_AT_START + 1_000_000);
    private static final BlockToken READ =
            BlockTokens.sign(KEY, id(17, 0).group(), Stamp.NONE, Right.READ, ManualTime.EPOCH_AT_START + 500_000);

    @Test
    void leaveTheQueueAtOnceAndNeverTouchTheDisk() throws Exception {
        ManualTime time = new ManualTime(7);
        MemoryVolumeIo disk = new MemoryVolumeIo("disk1", 1 << 20, new Random(1));
        DatanodeHome home = DatanodeHome.open(
                new MemoryVolumeIo("home", 1 << 20, new Random(3)), new DatanodeId("dn1"), time.randomness()::uuid);
        Volume volume = Volume.open(disk, home.identity(), Chunks.terms(0), time.randomness()::uuid);
        for (int index = 0; index < 3; index++) {
            finalised(volume, id(17, index), CELL);
        }
        BufferPool buffers = new BufferPool("reads", 1 << 20, true);
        VolumeQueue queue = new VolumeQueue(RealEnvironment.open().threads().workers("volume", 1, 100), 1, 100, time);
        ServedVolume served = new ServedVolume(volume, queue);
        Volumes volumes = new Volumes(List.of(served));
        volumes.number(Map.of(volume.uuid(), V1));
        BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
        tokens.keys(List.of(KEY));
        ChunkService service =
                new ChunkService(volumes, tokens, buffers, 1 << 20, false, change -> {}, time, Optional.empty());
        WireLoops loops = WireLoops.open("call-off", 1);
        Greeting.Hello hello = new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", "ada", List.of(), "client");
        try (WireServer server = WireServer.start(
                        loops,
                        WireOptions.defaults(),
                        new Address("127.0.0.1", 0),
                        () -> new Greeting.Welcome(Greeting.PROTOCOL_VERSION, "c1", "datanode dn1"),
                        service);
                WireClient wire = new WireClient(loops, WireOptions.defaults(), () -> hello)) {
            ChunkClient client = new ChunkClient(wire, LONG);
            CountDownLatch busy = new CountDownLatch(1);
            CompletableFuture<Boolean> other = queue.submit(() -> busy.await(LONG.toSeconds(), TimeUnit.SECONDS));
            AtomicInteger touched = new AtomicInteger();
            disk.faults((operation, path, number) -> touched.incrementAndGet());

            List<CompletableFuture<ChunkBytes>> reads = new ArrayList<>();
            reads.add(client.read(server.address(), id(17, 0), V1, 0, CELL, READ));
            reads.addAll(client.readAll(
                    server.address(),
                    List.of(
                            new ChunkRequest.ReadChunk(id(17, 1), V1, 0, CELL, READ),
                            new ChunkRequest.ReadChunk(id(17, 2), V1, 0, CELL, READ))));
            await().atMost(LONG).until(() -> queue.queued() == 3);
            reads.get(0).cancel(false);
            reads.get(1).cancel(false);
            await().atMost(LONG).until(() -> queue.queued() == 1 && buffers.loans() == 1);
            assertThat(touched).hasValue(0);

            busy.countDown();
            try (ChunkBytes bytes = reads.get(2).get(LONG.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(bytes.covers(0, CELL)).isTrue();
            }
            assertThat(other.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            int ofOne = touched.get();
            assertThat(ofOne).isPositive();
            client.read(server.address(), id(17, 1), V1, 0, CELL, READ)
                    .get(LONG.toSeconds(), TimeUnit.SECONDS)
                    .close();
            assertThat(touched).as("as much as one read takes, again").hasValue(2 * ofOne);
            await().atMost(LONG).until(() -> server.answerBytes() == 0 && server.requestBytes() == 0);
        } finally {
            served.close();
            loops.close();
        }
    }
}

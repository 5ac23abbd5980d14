package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.ManualTime;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.Address;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.token.TokenSigner;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which datanode a relayed cell goes to, whatever else lies on the one that relays. */
class RelayPlacesTest {
    private static final long GROUP = 17;
    private static final ChunkId OWN = id(GROUP, 0);
    private static final VolumeId VOLUME = new VolumeId(1);
    private static final long EXPIRES = ManualTime.EPOCH_AT_START + 500_000;
    private static final TokenKey KEY = new TokenKey(1, new byte[TokenKey.SECRET_BYTES], 2 * EXPIRES);
    private static final Session SESSION =
            new Session(new Address("client", 1), "ann", List.of("staff"), "client", "", false);

    private final ManualTime time = new ManualTime(7);
    private final Map<ChunkId, Address> sent = new TreeMap<>();
    private Volume volume;
    private ChunkService service;

    @BeforeEach
    void build() throws IOException {
        volume = Chunks.open(new MemoryVolumeIo("disk", 1 << 20, new Random(1)), new Random(2));
        Volumes volumes = new Volumes(
                List.of(new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 100), 1, 50, time))));
        volumes.number(Map.of(volume.uuid(), VOLUME));
        BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
        tokens.keys(List.of(KEY));
        RelayService relays = new RelayService(
                "dn0",
                (target, write, bytes) -> {
                    bytes.release();
                    sent.put(write.chunk(), target.address());
                    return CompletableFuture.completedFuture(
                            new ChunkReply.Written(write.chunk(), write.offset() + write.bytes()));
                },
                new Codes(Kernels.java()),
                time.environment(),
                new RelaySettings(1 << 20, 2, Duration.ofSeconds(60), Duration.ofSeconds(30), 1));
        service = new ChunkService(
                volumes,
                tokens,
                new BufferPool("reads", 64 << 10, true),
                32 << 10,
                true,
                change -> {},
                time,
                Optional.of(relays));
    }

    private CompletableFuture<Envelope> send(ChunkRequest request, ByteBuf payload) {
        CompletableFuture<Envelope> answer = service.handle(SESSION, new Envelope(request, payload));
        time.advance(Duration.ofMillis(10));
        return answer;
    }

    private CompletableFuture<Envelope> send(ChunkRequest request) {
        return send(request, Unpooled.EMPTY_BUFFER);
    }

    private static BlockToken token(int stamp) {
        return BlockTokens.sign(KEY, OWN.group(), stamp, Right.WRITE, EXPIRES);
    }

    private void openWith(ChunkId chunk, long writer, int stamp) {
        assertThat(send(new ChunkRequest.OpenChunk(chunk, VOLUME, POLICY, writer, token(stamp))))
                .isCompleted();
    }

    @Test
    void aChunkOfAForgottenGroupWithTheSameNumberTakesNoCellOfAnotherDatanode() {
        ChunkId forgotten = id(GROUP, 1);
        openWith(forgotten, 4, 1111);
        openWith(OWN, 5, 2222);
        List<RelayTarget> targets = IntStream.range(0, POLICY.chunks())
                .mapToObj(index -> new RelayTarget(id(GROUP, index), new Address("dn" + index, 1)))
                .toList();
        assertThat(send(new ChunkRequest.BeginRelay(
                        OWN,
                        POLICY,
                        5,
                        targets,
                        new TokenSigner(KEY)
                                .signRelay("c1", OWN.group(), 2222, SESSION.principal(), POLICY, targets, EXPIRES),
                        token(2222))))
                .isCompleted();
        List<CompletableFuture<Envelope>> answers = IntStream.range(0, POLICY.chunks())
                .mapToObj(index -> send(
                        new ChunkRequest.RelayCell(id(GROUP, index), 5, 0, CELL, 0, true, Optional.of(token(2222))),
                        index < POLICY.dataChunks() ? payload(id(GROUP, index), 0, CELL) : Unpooled.EMPTY_BUFFER))
                .toList();
        time.advance(Duration.ofSeconds(1));
        assertThat(answers).allMatch(answer -> answer.isDone() && !answer.isCompletedExceptionally());
        assertThat(volume.find(OWN).orElseThrow().bytes()).isEqualTo(CELL);
        assertThat(volume.find(forgotten).orElseThrow().bytes()).isZero();
        assertThat(sent).hasSize(POLICY.chunks() - 1).containsEntry(forgotten, new Address("dn1", 1));
    }
}

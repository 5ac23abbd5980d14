package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.env.ManualTime;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.stripe.Stripe;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay sends to the datanodes is, byte by byte, what a client sends that encodes itself. */
class RelayedStripesTest {
    private static final GroupId GROUP = new GroupId(7);
    private static final long WRITER = 99;
    private static final RelaySettings SETTINGS =
            new RelaySettings(64 << 20, 2, Duration.ofSeconds(60), Duration.ofSeconds(30), 1);

    private final ManualTime time = new ManualTime(1);
    private final Codes codes = new Codes(Kernels.java());
    private final BufferPool pool = new BufferPool("cells", Long.MAX_VALUE);
    private final RelayService relays = new RelayService("dn0", this::write, codes, time.environment(), SETTINGS);
    private final Map<Integer, List<ChunkRequest.WriteCells>> heads = new TreeMap<>();
    private final Map<Integer, List<byte[]>> payloads = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-3-2-64k",
                "rs-van-3-2-64k",
                "xor-2-1-64k",
                "replication-3-64k",
                "lrc-4-2-2-64k",
                "clay-4-2-5-64k",
                "clay-3-3-4-64k",
                "crs-4-2-64k",
                "liberation-4-2-84k",
                "shec-4-3-2-64k",
                "rs-6-3-4k"
            })
    void chunksAreTheSameForEveryFamilyAndTail(String name) throws IOException {
        Policy policy = Policy.parse(name);
        int cell = policy.cellBytes();
        Random random = new Random(name.hashCode());
        long stripe = policy.stripeBytes();
        for (long tail : List.of(0L, 1L, 63L, 4096L, 4097L, cell - 1L, cell + 1L, stripe - 1, stripe / 2)) {
            if (tail < stripe) {
                relayed(policy, 2 * stripe + tail, random);
            }
        }
        assertThat(relays.loans()).isZero();
        assertThat(pool.loans()).isZero();
        assertThat(relays.totals().bytes()).isZero();
    }

    @Test
    void stripesThatComeTogetherGoInTheOrderOfTheirOffsets() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        relayed(policy, 20 * policy.stripeBytes() + 5, new Random(4));
    }

    private void relayed(Policy policy, long length, Random random) throws IOException {
        heads.clear();
        payloads.clear();
        begin(policy);
        byte[] bytes = new byte[(int) length];
        random.nextBytes(bytes);
        List<Stripe> stripes = new ArrayList<>();
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            Stripe stripe = new Stripe(policy, pool, () -> {});
            stripe.fill(source);
            stripe.seal();
            stripes.add(stripe);
        }
        List<CompletableFuture<ChunkReply.Relayed>> answers = new ArrayList<>();
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, policy.chunks()).boxed().toList());
        for (int s = 0; s < stripes.size(); s++) {
            Collections.shuffle(order, random); // cells of a stripe come in any order
            for (int index : order) {
                if (stripes.get(s).storedBytes(index) > 0) {
                    answers.add(relay(policy, stripes.get(s), s, index, length));
                }
            }
        }
        time.advance(Duration.ofSeconds(1));
        answers.forEach(answer -> assertThat(answer).isCompleted());
        for (int s = 0; s < stripes.size(); s++) {
            stripes.get(s).encode(codes.of(policy.code()));
        }
        GroupLayout layout = new GroupLayout(policy, length);
        for (int index = 0; index < policy.chunks(); index++) {
            long end = 0;
            for (int s = 0; s < heads.getOrDefault(index, List.of()).size(); s++) {
                ChunkRequest.WriteCells head = heads.get(index).get(s);
                assertThat(head.offset()).isEqualTo(end);
                ByteBuf expected = stripes.get(s).share(index);
                assertThat(payloads.get(index).get(s)).isEqualTo(ByteBufUtil.getBytes(expected));
                expected.release();
                end += head.bytes();
            }
            assertThat(end).as("bytes of chunk %d of %d", index, length).isEqualTo(layout.chunkBytes(index));
        }
        stripes.forEach(Stripe::close);
    }

    private void begin(Policy policy) throws IOException {
        List<RelayTarget> targets = IntStream.range(0, policy.chunks())
                .mapToObj(index -> new RelayTarget(new ChunkId(GROUP, index, 0), new Address("dn" + index, 1)))
                .toList();
        BlockToken token = new BlockToken(GROUP, 0, BlockToken.Right.WRITE, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        RelayToken relay = new RelayToken(GROUP, 0, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        CompletableFuture<ChunkReply.RelayBegun> begun = relays.begin(
                new ChunkRequest.BeginRelay(new ChunkId(GROUP, 0, 0), policy, WRITER, targets, relay, token));
        time.until(begun::isDone, Duration.ofSeconds(1));
    }

    private CompletableFuture<ChunkReply.Relayed> relay(
            Policy policy, Stripe stripe, int number, int index, long length) {
        ByteBuf payload = index < policy.dataChunks() ? stripe.share(index) : Unpooled.EMPTY_BUFFER;
        ChunkRequest.RelayCell cell = new ChunkRequest.RelayCell(
                new ChunkId(GROUP, index, 0),
                WRITER,
                (long) number * policy.cellBytes(),
                stripe.storedBytes(index),
                stripe.full() ? 0 : length,
                true,
                Optional.empty());
        return relays.take(cell, payload, this::write).whenComplete((relayed, failure) -> payload.release());
    }

    private CompletableFuture<ChunkReply.Written> write(
            RelayTarget target, ChunkRequest.WriteCells write, ByteBuf sent) {
        heads.computeIfAbsent(target.chunk().index(), i -> new ArrayList<>()).add(write);
        payloads.computeIfAbsent(target.chunk().index(), i -> new ArrayList<>()).add(ByteBufUtil.getBytes(sent));
        sent.release();
        return CompletableFuture.completedFuture(new ChunkReply.Written(write.chunk(), write.offset() + write.bytes()));
    }
}

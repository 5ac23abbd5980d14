package io.ecfs.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.WireFixture;
import io.ecfs.wire.codec.MessageCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameDecoderTest {
    private static final int LIMIT = 16_384;

    private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    private final MemoryBudget intake = new MemoryBudget("intake", LIMIT);
    private final MessageCodec codec = new MessageCodec();

    /** A frame as it came out, copied. */
    private record Seen(FrameHeader header, String head, String payload) {}

    /** A decoder in a channel, what came out of it, and whether to give the budget back at once. */
    private final class Line {
        private final List<Seen> frames = new ArrayList<>();
        private final List<String> malformed = new ArrayList<>();
        private final List<Throwable> thrown = new ArrayList<>();
        private final FrameDecoder decoder = new FrameDecoder(Intake.of(intake), LIMIT);
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private boolean returnsBudget = true;
        private boolean receivesIntoFrames;

        Line() {
            channel.config().setAllocator(allocator);
            channel.pipeline().addLast(decoder, new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    Frame frame = (Frame) message;
                    assertThat(frame.header().length())
                            .isEqualTo(frame.head().readableBytes()
                                    + frame.payload().readableBytes());
                    frames.add(new Seen(
                            frame.header(), ByteBufUtil.hexDump(frame.head()), ByteBufUtil.hexDump(frame.payload())));
                    frame.release();
                    if (returnsBudget) {
                        intake.release(frame.header().length());
                    }
                }

                @Override
                public void userEventTriggered(ChannelHandlerContext context, Object event) {
                    malformed.add(((MalformedFrame) event).reason());
                }

                @Override
                public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                    thrown.add(cause);
                }
            });
        }

        /** Delivers the bytes unless the connection was closed before. */
        Line receive(byte[] bytes, int from, int to) {
            int at = from;
            while (receivesIntoFrames && at < to && decoder.target().isPresent()) {
                ByteBuf target = decoder.target().get();
                int part = Math.min(target.writableBytes(), to - at);
                channel.writeInbound(target.retain().writeBytes(bytes, at, part));
                at += part;
            }
            if (channel.isOpen() && to > at) {
                channel.writeInbound(allocator.directBuffer(to - at).writeBytes(bytes, at, to - at));
            }
            return this;
        }

        /** As the socket does without TLS; see {@link FrameReceiver}. */
        Line receivingIntoFrames() {
            receivesIntoFrames = true;
            return this;
        }

        Line receive(byte[] bytes) {
            return receive(bytes, 0, bytes.length);
        }

        void close() {
            channel.finishAndReleaseAll();
            assertThat(thrown).isEmpty();
        }
    }

    @AfterEach
    void nothingIsLeftOver() {
        assertThat(allocator.pinnedDirectMemory()).isZero();
        assertThat(allocator.pinnedHeapMemory()).isZero();
        assertThat(intake.usedBytes()).isZero();
    }

    @Test
    void framesComeOutWholeWhereverTheStreamIsSplit() throws EcfsException {
        byte[] stream = stream(0, 1, 200);
        List<Seen> whole = decode(stream);
        assertThat(whole).hasSize(3);
        for (int split = 1; split < stream.length; split++) {
            Line line = new Line().receive(stream, 0, split).receive(stream, split, stream.length);
            line.close();
            assertThat(line.frames).as("split at %d", split).isEqualTo(whole);
            Line intoFrames =
                    new Line().receivingIntoFrames().receive(stream, 0, split).receive(stream, split, stream.length);
            intoFrames.close();
            assertThat(intoFrames.frames)
                    .as("split at %d, into the frame", split)
                    .isEqualTo(whole);
        }
        Line byByte = new Line();
        for (int i = 0; i < stream.length; i++) {
            byByte.receive(stream, i, i + 1);
        }
        byByte.close();
        assertThat(byByte.frames).isEqualTo(whole);
    }

    @Test
    void framesComeOutWholeFromReadsOfAnySize() throws EcfsException {
        byte[] stream = stream(9_000, 3, 0, 12_000, 4_096, 1);
        List<Seen> whole = decode(stream);
        for (long seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Line line = new Line();
            for (int at = 0; at < stream.length; ) {
                int next = Math.min(stream.length, at + 1 + random.nextInt(1 << random.nextInt(15)));
                line.receive(stream, at, next);
                at = next;
            }
            line.close();
            assertThat(line.frames).as("seed %d", seed).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0,  0x47455420, magic is 0x47455420",
        "4,  0x7fffffff, length 2147483647 is over the limit",
        "4,  0xffffffff, length 4294967295 is over the limit",
        "4,  0x80000000, length 2147483648 is over the limit",
        "4,  16385,      length 16385 is over the limit",
        "12, 0x00004001, head of 16385 bytes in a frame of",
        "12, 0xffffffff, head of 4294967295 bytes in a frame of",
        "8,  0x00010004, flags 0x4 have no meaning",
        "8,  0x00010002, flags 0x2 have no meaning"
    })
    void anInvalidHeaderEndsTheConnectionBeforeAllocation(int at, String value, String reason) throws EcfsException {
        byte[] stream = stream(100);
        ByteBuffer.wrap(stream).putInt(at, Long.decode(value).intValue());
        Line line = new Line().receive(stream, 0, FrameHeader.BYTES);
        assertThat(allocator.pinnedDirectMemory()).isZero();
        assertThat(line.malformed).singleElement().asString().contains(reason);
        assertThat(line.channel.isOpen()).isFalse();
        assertThat(line.frames).isEmpty();
        line.close();
    }

    @Test
    void garbageIsRefusedBeforeAHeaderIsComplete() {
        Line line = new Line().receive("GET ".getBytes(StandardCharsets.US_ASCII));
        assertThat(line.malformed).hasSize(1);
        line.close();
    }

    @Test
    void randomBytesDoNoHarm() {
        for (long seed = 0; seed < 300; seed++) {
            byte[] bytes = new byte[1 + new Random(seed).nextInt(2000)];
            new Random(seed).nextBytes(bytes);
            if (seed % 2 == 0 && bytes.length > 4) {
                ByteBuffer.wrap(bytes).putInt(0, FrameHeader.MAGIC);
            }
            feedInPieces(seed % 2 == 0 ? new Line() : new Line().receivingIntoFrames(), bytes, seed);
        }
    }

    @Test
    void truncatedAndFlippedStreamsDoNoHarm() throws EcfsException {
        for (long seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            byte[] bytes = stream(random.nextInt(200), random.nextInt(9000), random.nextInt(20));
            for (int flips = random.nextInt(5); flips > 0; flips--) {
                // Most flips hit headers: there the decisions are made.
                int at = random.nextInt(random.nextBoolean() ? FrameHeader.BYTES : bytes.length);
                bytes[at] ^= (byte) (1 << random.nextInt(8));
            }
            feedInPieces(new Line(), Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)), seed);
        }
    }

    /**
     * Delivers the bytes in pieces and checks after each that no more memory is held than the budget and the piece
     * itself.
     */
    private void feedInPieces(Line line, byte[] bytes, long seed) {
        Random random = new Random(~seed);
        for (int at = 0; at < bytes.length; ) {
            int next = Math.min(bytes.length, at + 1 + random.nextInt(1500));
            line.receive(bytes, at, next);
            assertThat(allocator.pinnedDirectMemory())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(LIMIT + LIMIT / 4); // the allocator rounds up by a quarter at most
            assertThat(line.malformed.size()).as("seed %d", seed).isLessThanOrEqualTo(1);
            at = next;
        }
        line.close();
        assertThat(allocator.pinnedDirectMemory()).as("seed %d", seed).isZero();
        assertThat(intake.usedBytes()).as("seed %d", seed).isZero();
    }

    @Test
    void whileOnHoldNothingComesOutAndTheSocketIsNotRead() throws EcfsException {
        Line line = new Line();
        line.decoder.hold(FrameDecoder.Hold.WAITING);
        line.decoder.hold(FrameDecoder.Hold.IN_FLIGHT);
        line.receive(stream(10, 20));
        line.decoder.resume(FrameDecoder.Hold.WAITING);
        assertThat(line.frames).isEmpty();
        assertThat(line.channel.config().isAutoRead()).isFalse();
        line.decoder.resume(FrameDecoder.Hold.IN_FLIGHT);
        assertThat(line.frames).hasSize(2);
        assertThat(line.channel.config().isAutoRead()).isTrue();
        line.close();
    }

    @Test
    void aFrameWaitsForTheBudgetBeforeItTakesMemory() throws EcfsException {
        Line line = new Line();
        line.returnsBudget = false;
        line.receive(stream(9_000, 9_000));
        assertThat(line.frames).hasSize(1);
        assertThat(line.channel.config().isAutoRead()).isFalse();
        intake.release(line.frames.get(0).header().length());
        line.channel.runPendingTasks();
        assertThat(line.frames).hasSize(2);
        assertThat(line.channel.config().isAutoRead()).isTrue();
        intake.release(line.frames.get(1).header().length());
        line.close();
    }

    @Test
    void aConnectionThatClosesWhileItWaitsForTheBudgetTakesNothing() throws EcfsException {
        byte[] stream = stream(9_000);
        assertThat(intake.tryAcquire(LIMIT)).isTrue();
        Line line = new Line().receive(stream);
        assertThat(intake.waiting()).isEqualTo(1);
        line.close();
        assertThat(intake.waiting()).isZero();

        Line grantedTooLate = new Line().receive(stream);
        intake.release(LIMIT); // granted, and told to the event loop, which has not run yet
        grantedTooLate.channel.pipeline().fireChannelInactive();
        grantedTooLate.channel.runPendingTasks();
        assertThat(intake.usedBytes()).isZero();
        grantedTooLate.close();
    }

    private List<Seen> decode(byte[] stream) {
        Line line = new Line().receive(stream);
        line.close();
        return line.frames;
    }

    private byte[] stream(int... payloads) throws EcfsException {
        ByteBuf all = Unpooled.buffer();
        long id = 1;
        for (int bytes : payloads) {
            Message head = bytes % 2 == 0
                    ? new Greeting.Welcome(1, "c1", "datanode dn1")
                    : new ChunkReply.Written(WireFixture.CHUNK, bytes);
            Envelope envelope = new Envelope(head, Unpooled.wrappedBuffer(WireFixture.pattern(bytes)));
            EncodedFrame frame = EncodedFrame.of(codec, allocator, FrameHeader.ANSWER, id++, envelope, LIMIT);
            all.writeBytes(frame.start()).writeBytes(frame.payload());
            frame.release();
        }
        return ByteBufUtil.getBytes(all);
    }
}

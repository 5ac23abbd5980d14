package io.ecfs.wire.frame;

import io.ecfs.buffer.CellAllocator;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.codec.MessageCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One frame out, as the client makes it, and one frame in, from received bytes to its message. Payloads are not copied
 * in either direction: what is measured is the cost of a message, not of its bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class FrameBenchmark {
    private static final int MIB = 1 << 20;
    private static final int MAX_BYTES = 2 * MIB;

    /** Two heads of fixed form, one with a payload, and one in CBOR. */
    public enum Sample {
        READ_CHUNK(0),
        WRITE_CELLS_1M(ChunkPayload.payloadBytes(MIB)),
        CREATE(0);

        private final int payloadBytes;

        Sample(int payloadBytes) {
            this.payloadBytes = payloadBytes;
        }

        Message head() {
            ChunkId chunk = new ChunkId(new GroupId(123_456), 3, 0);
            return switch (this) {
                case READ_CHUNK ->
                    new ChunkRequest.ReadChunk(
                            chunk,
                            new VolumeId(7),
                            MIB,
                            MIB,
                            new BlockToken(
                                    chunk.group(),
                                    Stamp.NONE,
                                    BlockToken.Right.READ,
                                    1_800_000_000_000L,
                                    1,
                                    new byte[32]));
                case WRITE_CELLS_1M -> new ChunkRequest.WriteCells(chunk, 42, MIB, MIB, 0);
                case CREATE ->
                    new NamespaceRequest.Create(
                            new RequestId("client-4711", 123_456),
                            new FilePath("/user/ada/warehouse/part-00042"),
                            0644,
                            false,
                            true,
                            Optional.empty());
            };
        }
    }

    @Param
    public Sample message;

    private final ByteBufAllocator allocator = CellAllocator.take();
    private final MessageCodec codec = new MessageCodec();
    private final MemoryBudget intake = new MemoryBudget("intake", MAX_BYTES);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private Message head;
    private ByteBuf payload;
    private ByteBuf received;
    private Message decoded;

    @Setup
    public void prepare() throws EcfsException {
        head = message.head();
        payload = allocator.directBuffer(message.payloadBytes).writeZero(message.payloadBytes);
        EncodedFrame frame = encodeOnce();
        received = Unpooled.directBuffer(frame.bytes()).writeBytes(frame.start());
        received.writeBytes(frame.payload());
        payload.readerIndex(0);
        frame.release();
        channel.config().setAllocator(allocator);
        channel.pipeline().addLast(new FrameDecoder(Intake.of(intake), MAX_BYTES), new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object in) throws EcfsException {
                Frame complete = (Frame) in;
                decoded = codec.decode(complete.header().type(), complete.head());
                complete.release();
                intake.release(complete.header().length());
            }
        });
        if (!decode().getClass().equals(head.getClass())) {
            throw new IllegalStateException(head + " came back as " + decoded);
        }
    }

    @TearDown
    public void release() {
        channel.finishAndReleaseAll();
        received.release();
        payload.release();
    }

    @Benchmark
    public int encode() throws EcfsException {
        EncodedFrame frame = encodeOnce();
        int bytes = frame.bytes();
        frame.release();
        return bytes;
    }

    @Benchmark
    public Message decode() {
        channel.pipeline().fireChannelRead(received.retainedDuplicate());
        return decoded;
    }

    private EncodedFrame encodeOnce() throws EcfsException {
        return EncodedFrame.of(codec, allocator, 0, 17, new Envelope(head, payload.retain()), MAX_BYTES);
    }
}

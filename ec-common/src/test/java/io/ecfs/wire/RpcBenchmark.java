package io.ecfs.wire;

import io.ecfs.buffer.BufferPool;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.server.WireServer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A call and its answer over a loopback connection, both ends in this process with one event loop each. The server
 * touches no disk and looks at no byte, so this is what the wire alone costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class RpcBenchmark {
    private static final int MIB = 1 << 20;
    private static final int PIPELINED = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final ChunkId CHUNK = new ChunkId(new GroupId(17), 3, 0);
    private static final BlockToken TOKEN =
            new BlockToken(CHUNK.group(), Stamp.NONE, BlockToken.Right.READ, 1_800_000_000_000L, 1, new byte[32]);

    private final WireLoops serverLoops = WireLoops.open("bench-server", 1);
    private final WireLoops clientLoops = WireLoops.open("bench-client", 1);
    private final BufferPool pool = new BufferPool("bench", 64L * MIB, false);
    private final Message small = new ChunkRequest.AbortChunk(CHUNK, 42);
    private final Message write = new ChunkRequest.WriteCells(CHUNK, 42, 0, MIB, 0);
    private final Message read = new ChunkRequest.ReadChunk(CHUNK, new VolumeId(7), 0, MIB, TOKEN);
    private WireServer server;
    private WireClient client;

    @Setup
    public void open() throws EcfsException {
        server = WireServer.start(
                serverLoops,
                WireOptions.defaults(),
                new Address("127.0.0.1", 0),
                () -> new Greeting.Welcome(Greeting.PROTOCOL_VERSION, "bench", "datanode bench"),
                this::answer);
        client = new WireClient(
                clientLoops,
                WireOptions.defaults(),
                () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "bench", "ada", List.of(), "client"));
    }

    @TearDown
    public void close() {
        client.close();
        server.close();
        clientLoops.close();
        serverLoops.close();
        pool.close();
    }

    /** A call without payload, one at a time. */
    @Benchmark
    public Message call() {
        return finish(client.call(server.address(), small, TIMEOUT));
    }

    /** The same with 64 under way at once, by call. */
    @Benchmark
    @OperationsPerInvocation(PIPELINED)
    public void callPipelined() {
        CompletableFuture<?>[] calls = new CompletableFuture<?>[PIPELINED];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = client.call(server.address(), small, TIMEOUT);
        }
        CompletableFuture.allOf(calls).join();
    }

    /** 1 MiB and its checksums to the server. */
    @Benchmark
    public Message write1m() throws EcfsException {
        return finish(client.call(server.address(), write, mebibyte(), TIMEOUT));
    }

    /** 1 MiB and its checksums from the server. */
    @Benchmark
    public Message read1m() {
        return finish(client.call(server.address(), read, TIMEOUT));
    }

    private static Message finish(CompletableFuture<Envelope> call) {
        Envelope answer = call.join();
        answer.release();
        return answer.head();
    }

    /** Bytes as they were left by the last loan. */
    private ByteBuf mebibyte() throws EcfsException {
        int bytes = ChunkPayload.payloadBytes(MIB);
        return pool.allocate(bytes).writerIndex(bytes);
    }

    private CompletionStage<Envelope> answer(Session session, Envelope request) {
        request.release();
        try {
            boolean reads = request.head() instanceof ChunkRequest.ReadChunk;
            ByteBuf payload = reads ? mebibyte() : Unpooled.EMPTY_BUFFER;
            Message head = reads ? new ChunkReply.Data(CHUNK, 0, MIB) : new ChunkReply.Written(CHUNK, MIB);
            return CompletableFuture.completedFuture(new Envelope(head, payload));
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}

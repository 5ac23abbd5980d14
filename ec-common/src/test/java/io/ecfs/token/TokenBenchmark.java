package io.ecfs.token;

import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.datanode.TokenKey;
import java.nio.ByteBuffer;
import java.util.List;
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
import org.openjdk.jmh.annotations.Warmup;

/** What a block token costs: to sign at the namenode, to read and check at a datanode. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class TokenBenchmark {
    private static final ChunkId CHUNK = new ChunkId(new GroupId(123_456), 3, 0);
    private static final String CLUSTER = "0f8fad5b-d9cb-469f-a165-70867728950e";

    @Param({"1", "2"})
    private int version;

    private final TokenSigner signer =
            new TokenSigner(new TokenKey(1, new byte[TokenKey.SECRET_BYTES], Long.MAX_VALUE));
    private final BlockTokenVerifier verifier =
            new BlockTokenVerifier(RealEnvironment.open().clock(), () -> CLUSTER);
    private final TokenUse use = TokenUse.whole(CHUNK, Right.READ, "hive");
    private Optional<BlockToken.Scope> bound;
    private BlockToken token;
    private byte[] bytes;

    @Setup
    public void sample() {
        bound = version == 1 ? Optional.empty() : Optional.of(BlockToken.Scope.ofGroup(CLUSTER, 0, "hive"));
        verifier.keys(List.of(signer.key()));
        token = sign();
        bytes = TokenForm.bytes(token);
    }

    @Benchmark
    public BlockToken sign() {
        return signer.sign(CHUNK.group(), Stamp.NONE, Right.READ, bound, Long.MAX_VALUE);
    }

    @Benchmark
    public BlockToken check() throws EcfsException {
        verifier.require(token, use);
        return token;
    }

    @Benchmark
    public BlockToken readAndCheck() throws EcfsException {
        BlockToken received = TokenForm.read(ByteBuffer.wrap(bytes));
        verifier.require(received, use);
        return received;
    }
}

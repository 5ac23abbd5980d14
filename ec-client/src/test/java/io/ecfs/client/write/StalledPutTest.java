package io.ecfs.client.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.client.base.Pending;
import io.ecfs.client.base.RequestIds;
import io.ecfs.client.base.WriteReports;
import io.ecfs.client.health.BadChunkReports;
import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.ring.RingView;
import io.ecfs.client.write.route.RelayRoute;
import io.ecfs.client.write.route.StripeRoutes;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.WriteTimes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A file of one stripe whose datanode says nothing, event by event. */
class StalledPutTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final GroupId GROUP = new GroupId(1);

    private final ManualTime time = new ManualTime(1);
    private final ClientConfig config = ClientConfig.defaults();
    private final BufferPool pool = new BufferPool("cells", 1 << 20);
    private final WriteServices services = services();

    /** All datanodes put chunks but the last; it and the namenode say nothing. */
    private static final class Network implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            if (request instanceof ChunkRequest.PutChunk put && put.chunk().index() < 4) {
                payload.release();
                return CompletableFuture.completedFuture(Envelope.of(new ChunkReply.Finished(put.chunk())));
            }
            CompletableFuture<Envelope> never = new CompletableFuture<>();
            never.whenComplete((answer, failure) -> payload.release());
            return never;
        }

        @Override
        public void close() {}
    }

    private WriteServices services() {
        Network network = new Network();
        Scheduler owner = time.scheduler("owner");
        RequestIds requests = new RequestIds("client");
        return new WriteServices(
                new ChunkClient(network, config.callTimeout()),
                new NamenodeCaller(
                        List.of(new Address("nn", 1)),
                        network,
                        time.environment(),
                        owner,
                        new Pending(),
                        config,
                        requests),
                requests,
                new Codes(Kernels.java()),
                owner,
                time,
                new Pending(),
                time.workers("codecs", 1, 10),
                time.randomness(),
                new MemoryBudget("stripes", 1 << 20),
                pool,
                new MemoryBudget("rewritten", 1),
                new BufferPool("rewritten cells", 1 << 20),
                null,
                new DatanodeHealth(
                        time,
                        config,
                        new MeasuredCosts(time, owner, new ChunkClient(network, config.callTimeout()), config.plan()),
                        new BadChunkReports(report -> new CompletableFuture<>()),
                        new RingView(time, CompletableFuture::new)),
                new WriteTimes(),
                new StripeRoutes(
                        new RelayRoute.Services(
                                new ChunkClient(network, config.callTimeout()), time.workers("codecs", 1, 10), time),
                        new Codes(Kernels.java()),
                        Optional.empty()),
                new WriteReports(owner, List::of, List::of, report -> CompletableFuture.completedFuture(null)),
                config);
    }

    private FileWriter writer() {
        FileStatus status =
                new FileStatus(new FilePath("/f"), new InodeId(7), false, 0, true, 0644, "me", "us", 0, 0, POLICY);
        List<ChunkLocation> chunks = IntStream.range(0, POLICY.chunks())
                .mapToObj(i -> new ChunkLocation(
                        new ChunkId(GROUP, i, 0),
                        new VolumeId(i + 1),
                        new DatanodeId("dn" + i),
                        new Address("dn" + i, 1),
                        "/rack",
                        ChunkLocation.State.LIVE))
                .toList();
        BlockToken token =
                new BlockToken(GROUP, Stamp.NONE, BlockToken.Right.WRITE, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        return new FileWriter(
                services,
                new NamespaceReply.Created(status, new LocatedGroup(GROUP, POLICY, 0, chunks, token)),
                FileWriter.Begin.NEW);
    }

    private Stripe stripe() throws IOException {
        Stripe stripe = new Stripe(POLICY, pool, () -> {});
        stripe.fill(ByteBuffer.allocate(5000));
        stripe.seal(services.codes().of(POLICY.code()));
        return stripe;
    }

    @Test
    void aCloseDuringTheTimeoutOfAPutReleasesTheStripeOnce() throws IOException {
        FileWriter writer = writer();
        CompletableFuture<Void> done = new CompletableFuture<>();
        writer.give(List.of(new WriteEvent.Data(stripe()), new WriteEvent.End(false, true, done)));
        // It closes before the look that gives the silent datanode up: the writer hears of it after that look, and only
        // then that the call was called off.
        services.owner()
                .schedule(
                        config.stallAfter(),
                        () -> writer.fail(new EcfsException(ErrorCode.UNREACHABLE, "the client closes")));
        time.advance(config.stallAfter().multipliedBy(2));
        assertThat(done).isCompletedExceptionally();
        assertThat(writer.ended()).isCompletedExceptionally();
        assertThat(pool.loans()).isZero();
    }
}

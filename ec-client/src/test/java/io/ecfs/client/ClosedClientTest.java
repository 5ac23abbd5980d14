package io.ecfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.code.kernel.Program;
import io.ecfs.code.kernel.Schedule;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.WriteShare;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that is closed answers everything that it was asked and is asked, with an error. */
@Timeout(300)
class ClosedClientTest extends ClusterTest {
    private static final long LENGTH = 200_000;
    private static final List<FileRange> RANGES = List.of(new FileRange(FILE, 0, 1000), FileRange.whole(FILE));

    private FileReader file;

    private void open() throws IOException {
        start(5, config().with("plan.on=on", "callTimeout=10m", "lateAfter=10m", "namenodeDeadline=10m"));
        write(FILE, Policy.parse("rs-3-2-4k"), LENGTH);
        file = Await.result(client.open(FILE));
    }

    private static void assertClosed(Throwable failure) {
        assertThat(failure).hasMessageContaining("this client was closed");
    }

    @Test
    void everyLaterCallFailsAtOnce() throws IOException {
        open();
        client.close();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> Await.result(client.status(FILE)),
                () -> Await.result(client.delete(FILE, false)),
                () -> Await.result(client.open(FILE)),
                () -> Await.result(client.admin().report()),
                () -> Await.result(client.explain(RANGES, true)),
                () -> Await.result(client.elsewhere(client.status(FILE))),
                () -> Await.result(client.apart(() -> 1)),
                () -> file.read(0, ByteBuffer.allocate(100)),
                () -> file.stream().read())) {
            assertThatThrownBy(call).hasMessageContaining("this client was closed");
        }
        assertThat(Await.result(client.readAll(RANGES)))
                .allSatisfy(result -> assertThat(result.toString()).contains("this client was closed"));
    }

    @Test
    void rangesThatAreBeingReadFailOneByOne() throws Exception {
        open();
        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk
                ? new MemoryCluster.Fate.Hangs()
                : new MemoryCluster.Fate.Answered());
        List<FileRange> many = LongStream.range(0, 100)
                .mapToObj(i -> new FileRange(FILE, i * 2000, i * 2000 + 1000))
                .toList();
        CompletableFuture<List<RangeResult>> all = client.readAll(many);
        await().until(() -> cluster.takeChunkRequests().stream().anyMatch(ChunkRequest.ReadChunk.class::isInstance));
        client.close();
        assertThat(all.get(2, TimeUnit.MINUTES))
                .hasSize(many.size())
                .allSatisfy(result -> assertClosed(((RangeResult.Failed) result).failure()));
        client = null; // what the cluster never answers stays on loan
    }

    @Test
    void whatIsUnderWayFails() throws Exception {
        open();
        cluster.fate(request -> new MemoryCluster.Fate.Hangs());
        CompletableFuture<?> status = client.status(FILE);
        CompletableFuture<?> all = client.readAll(RANGES);
        CompletableFuture<?> explained = client.explain(RANGES, true);
        CompletableFuture<Throwable> read = new CompletableFuture<>();
        Thread reading =
                new Thread(() -> read.complete(catchThrowable(() -> file.read(0, ByteBuffer.allocate((int) LENGTH)))));
        reading.start();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> cluster.takeChunkRequests().stream().anyMatch(ChunkRequest.ReadChunk.class::isInstance)
                        && reading.getState() == Thread.State.WAITING);
        client.close();
        assertClosed(catchThrowable(() -> status.get(2, TimeUnit.MINUTES)));
        assertClosed(catchThrowable(() -> explained.get(2, TimeUnit.MINUTES)));
        assertThat(all.get(2, TimeUnit.MINUTES).toString()).contains("this client was closed");
        assertClosed(read.get(2, TimeUnit.MINUTES));
        client = null; // what the cluster never answers stays on loan
    }

    @Test
    void writesAreReportedAtTheClose() throws IOException {
        start(5);
        write(FILE, POLICY, 5 * POLICY.stripeBytes());
        client.close();
        assertThat(namenodeRequests())
                .filteredOn(NamespaceRequest.ReportWrites.class::isInstance)
                .singleElement()
                .satisfies(report -> assertThat(((NamespaceRequest.ReportWrites) report).shares())
                        .extracting(WriteShare::stripes)
                        .containsExactly(5L));
    }

    /** With calls that last ten minutes, the test would fail by its timeout. */
    @Test
    void aNamenodeThatDoesNotAnswerTheReportHoldsNoCloseUp() throws IOException {
        open();
        cluster.fate(request -> request instanceof NamespaceRequest.ReportWrites
                ? new MemoryCluster.Fate.Hangs()
                : new MemoryCluster.Fate.Answered());
        client.close();
        assertThat(client.loanedBuffers()).as("buffers").isZero();
    }

    private static final Policy POLICY = Policy.parse("rs-3-2-4k");

    /** Streams that nobody closes, with a stripe begun, with one whose begin is flushed, and with one of many cells. */
    @Test
    void openStreamsGiveTheirBuffersBack() throws IOException {
        start(5);
        List<EcfsOutputStream> streams = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            streams.add(create(new FilePath("/open" + i), POLICY));
        }
        append(streams.get(0), 1);
        append(streams.get(1), 5000);
        streams.get(1).hflush();
        append(streams.get(2), 3 * POLICY.cellBytes() - 1);

        client.close();

        assertThat(client.loanedBuffers()).as("buffers").isZero();
        assertThat(client.reservedBytes()).as("reserved bytes").isZero();
        for (EcfsOutputStream stream : streams) {
            assertClosed(catchThrowable(() -> stream.write(1)));
            assertClosed(catchThrowable(stream::hflush));
            assertClosed(catchThrowable(stream::close));
        }
    }

    /** All of the client is gone when the stripe, whole or a file's tail, comes back from the encoder. */
    @Test
    void aStripeThatIsEncodedMeanwhileIsGivenBack() throws IOException {
        for (boolean whole : new boolean[] {true, false}) {
            cluster = new MemoryCluster(5);
            ClosingKernel kernel = new ClosingKernel();
            client = new EcfsClient(cluster.uri(), config(), cluster.environment, cluster, kernel);
            EcfsOutputStream stream = create(FILE, POLICY);
            append(stream, POLICY.stripeBytes() - 1);
            kernel.closes = Optional.of(client);

            Throwable failure = catchThrowable(() -> {
                if (whole) {
                    stream.write(1);
                }
                stream.close();
            });

            assertClosed(failure);
            assertThat(kernel.closes).as("the client, unless it was closed").isEmpty();
            assertThat(client.loanedBuffers()).as("buffers").isZero();
            assertThat(client.reservedBytes()).as("reserved bytes").isZero();
            cluster.close();
        }
        client = null;
    }

    /** Closes a client before it encodes. */
    private static final class ClosingKernel implements GaloisKernel {
        private final GaloisKernel kernel = Kernels.java();
        private Optional<EcfsClient> closes = Optional.empty();

        @Override
        public String name() {
            return kernel.name();
        }

        @Override
        public String description() {
            return kernel.description();
        }

        @Override
        public Program prepare(Schedule schedule) {
            Program program = kernel.prepare(schedule);
            return (inputs, outputs) -> {
                closes.ifPresent(EcfsClient::close);
                closes = Optional.empty();
                program.run(inputs, outputs);
            };
        }
    }
}

package io.ecfs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.repair.RepairSettings;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Environment;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrdersTest {
    private static final VolumeId V1 = new VolumeId(1);
    private static final int CHUNKS = 40;

    private final ManualTime time = new ManualTime(1);
    private final List<ChunkChange> changed = new ArrayList<>();

    /**
     * More deletions wait than are carried out at once when another leader is heard of: those that wait are not its
     * own.
     */
    @Test
    void ordersOfADeposedLeaderThatStillWaitAreDropped() throws IOException {
        ControlSettings settings = ControlSettings.defaults();
        assertThat(settings.ordersAtOnce()).isLessThan(CHUNKS);
        try (Volume volume = Chunks.open(new MemoryVolumeIo("disk", 64 << 20, new Random(1)), new Random(2))) {
            List<DatanodeOrder> deletions = new ArrayList<>();
            for (int group = 1; group <= CHUNKS; group++) {
                Chunks.finalised(volume, Chunks.id(group, 0), Chunks.CELL);
                deletions.add(new DatanodeOrder.Delete(V1, Chunks.id(group, 0), Stamp.NONE));
            }
            Volumes volumes = new Volumes(
                    List.of(new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 1000), 1, 900, time))));
            volumes.number(Map.of(volume.uuid(), V1));
            Orders orders = orders(volumes, settings);
            orders.take(3, deletions);
            assertThat(orders.waiting()).isEqualTo(CHUNKS - settings.ordersAtOnce());
            orders.take(5, List.of());
            time.advance(Duration.ofMinutes(1));
            assertThat(volume.chunkCount())
                    .as("what ran already may end, what waited is gone")
                    .isEqualTo(CHUNKS - settings.ordersAtOnce());
            ChunkId kept = Chunks.id(CHUNKS, 0);
            orders.take(3, List.of(new DatanodeOrder.Delete(V1, kept, Stamp.NONE)));
            time.advance(Duration.ofMinutes(1));
            assertThat(volume.find(kept)).isPresent();
            orders.take(5, List.of(new DatanodeOrder.Delete(V1, kept, Stamp.NONE)));
            time.advance(Duration.ofMinutes(1));
            assertThat(volume.find(kept)).isEmpty();
        }
    }

    /** One of each kind that can be carried out, or fails at once. */
    private static Map<Class<?>, DatanodeOrder> samples() {
        ChunkId chunk = Chunks.id(7, 0);
        Policy policy = Policy.parse("rs-3-2-64k");
        long length = policy.stripeBytes() + 1;
        BlockToken token =
                new BlockToken(chunk.group(), Stamp.NONE, Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        ChunkLocation there = new ChunkLocation(
                chunk,
                new VolumeId(2),
                new DatanodeId("dn2"),
                new Address("dn2", 9000),
                "/rack",
                ChunkLocation.State.LIVE);
        return Stream.<DatanodeOrder>of(
                        new DatanodeOrder.Delete(V1, chunk, Stamp.NONE),
                        new DatanodeOrder.Fence(V1, chunk, 1),
                        new DatanodeOrder.Finalise(V1, chunk, 1, 1),
                        new DatanodeOrder.FillTail(V1, chunk, 1, policy, length, List.of(), token),
                        new DatanodeOrder.FillStripes(V1, chunk, 1, policy, length, List.of(), token),
                        new DatanodeOrder.Rebuild(
                                V1, chunk, policy, length, 1, List.of(), Optional.empty(), false, token),
                        new DatanodeOrder.CheckParity(V1, chunk.group(), policy, length, List.of(there), token),
                        new DatanodeOrder.Compare(V1, there, there, 1, token),
                        new DatanodeOrder.Condemn(V1, chunk),
                        rewrite(Stamp.NONE, 1),
                        new DatanodeOrder.Verify(V1, chunk))
                .collect(Collectors.toMap(Object::getClass, order -> order));
    }

    /** An order for group 7, which fails at once, since it has no chunks. */
    private static DatanodeOrder rewrite(int stamp, long length) {
        GroupId group = new GroupId(7);
        BlockToken token = new BlockToken(group, stamp, Right.WRITE, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        return new DatanodeOrder.Rewrite(
                V1,
                new DatanodeOrder.Rewrite.Group(group, Policy.parse("rs-3-2-64k"), 0, List.of(), token),
                List.of(),
                List.of(new DatanodeOrder.Rewrite.Range(new GroupId(6), 0, length, 0)));
    }

    private List<ChunkChange.Rewritten> rewritten() {
        return changed.stream().map(ChunkChange.Rewritten.class::cast).toList();
    }

    /** Namenodes that were rolled back order numbers again that were filled before, or are being filled. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOrderForTheNumberOfAnotherGroupIsCarriedOut(boolean firstIsOver) {
        Orders orders = orders(new Volumes(List.of()), ControlSettings.defaults());
        orders.take(3, List.of(rewrite(1, 1081)));
        if (firstIsOver) {
            time.advance(Duration.ofSeconds(1));
            assertThat(changed).hasSize(1);
        }
        orders.take(5, List.of(rewrite(2, 15_784)));
        time.advance(Duration.ofSeconds(1));
        assertThat(rewritten())
                .extracting(ChunkChange.Rewritten::stamp, ChunkChange.Rewritten::length)
                .containsExactly(tuple(Optional.of(1), 1081L), tuple(Optional.of(2), 15_784L));
    }

    @Test
    void aRewriteThatIsOrderedAgainIsReportedAgain() {
        Orders orders = orders(new Volumes(List.of()), ControlSettings.defaults());
        orders.take(3, List.of(rewrite(1, 1081)));
        time.advance(Duration.ofSeconds(1));
        orders.take(3, List.of(rewrite(1, 1081)));
        assertThat(rewritten()).hasSize(2).containsOnly(rewritten().get(0));
    }

    /** Else a datanode would check one group a heartbeat, and writers make more of them than that. */
    @Test
    void allParityChecksOfOneHeartbeatAreCarriedOutAndThoseOfADeposedLeaderDropped() {
        Orders orders = orders(new Volumes(List.of()), ControlSettings.defaults());
        orders.take(3, checks(1, 16));
        orders.take(3, checks(1, 16));
        time.advance(Duration.ofMinutes(1));
        assertThat(changed)
                .extracting(
                        change -> ((ChunkChange.ParityChecked) change).group().value())
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 16).boxed().toList());
        changed.clear();
        orders.take(3, checks(17, 30));
        orders.take(4, checks(31, 31));
        time.advance(Duration.ofMinutes(1));
        assertThat(changed)
                .as("the first one was under way")
                .extracting(
                        change -> ((ChunkChange.ParityChecked) change).group().value())
                .containsExactly(17L, 31L);
    }

    private static List<DatanodeOrder> checks(int first, int last) {
        DatanodeOrder.CheckParity one = (DatanodeOrder.CheckParity) samples().get(DatanodeOrder.CheckParity.class);
        return LongStream.rangeClosed(first, last)
                .<DatanodeOrder>mapToObj(group -> new DatanodeOrder.CheckParity(
                        V1, new GroupId(group), one.policy(), one.groupLength(), one.chunks(), one.token()))
                .toList();
    }

    /** Dispatch is by chains of instanceof, which the compiler does not check. */
    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindOfOrderIsCarriedOut(Class<?> kind) throws IOException {
        DatanodeOrder order = Objects.requireNonNull(samples().get(kind), "a sample of " + kind);
        try (Volume volume = Chunks.open(new MemoryVolumeIo("disk", 64 << 20, new Random(1)), new Random(2))) {
            Volumes volumes = new Volumes(
                    List.of(new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 1000), 1, 900, time))));
            volumes.number(Map.of(volume.uuid(), V1));
            orders(volumes, ControlSettings.defaults()).take(1, List.of(order));
            time.advance(Duration.ofMinutes(1));
            assertThat(changed).as("what came of %s", order).isNotEmpty();
        }
    }

    /** All but what the control plane answers itself. */
    static Stream<Class<?>> kinds() {
        return Stream.of(DatanodeOrder.class.getPermittedSubclasses())
                .filter(kind -> kind != DatanodeOrder.ReportFully.class);
    }

    private Orders orders(Volumes volumes, ControlSettings settings) {
        Repairer repairer = new Repairer(
                "dn1",
                new Nobody(),
                new Codes(Kernels.java()),
                time,
                time,
                RepairSettings.defaults(),
                () -> 0,
                () -> Double.NaN);
        Rewriter rewriter = new Rewriter(
                "dn1",
                new ChunkClient(new Nobody(), Duration.ofSeconds(1)),
                new Codes(Kernels.java()),
                new Environment(time, time.randomness(), time),
                bytes -> CompletableFuture.completedFuture(null));
        return new Orders(volumes, time.scheduler("control"), settings, changed::add, repairer, rewriter, chunk -> {});
    }

    private static final class Nobody implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            payload.release();
            return CompletableFuture.failedFuture(new EcfsException(ErrorCode.UNREACHABLE, "nobody is there"));
        }

        @Override
        public void close() {}
    }
}

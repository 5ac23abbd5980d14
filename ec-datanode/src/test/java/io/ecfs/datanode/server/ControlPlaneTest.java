package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.repair.RepairSettings;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailSource;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.datanode.RelayLoad;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.token.TokenUse;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControlPlaneTest {
    private static final Address FIRST = new Address("nn0", 1);
    private static final Address SECOND = new Address("nn1", 1);
    private static final VolumeId V1 = new VolumeId(1);
    private static final ChunkId CHUNK = id(17, 3);

    private final ManualTime time = new ManualTime(7);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 8 << 20, new Random(1));
    private final MemoryVolumeIo homeDisk = new MemoryVolumeIo("home", 1 << 20, new Random(2));
    private final Map<Address, PretendNamenode> namenodes = new HashMap<>();
    private final PretendNamenode first = new PretendNamenode();
    private final PretendNamenode second = new PretendNamenode();
    private final BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
    private Volume volume;
    private ServedVolume served;
    private ControlPlane plane;
    private RelayLoad relayed = new RelayLoad(0, 0, 0);
    private Duration clockError = Duration.ZERO;

    @BeforeEach
    void build() throws IOException {
        namenodes.put(FIRST, first);
        namenodes.put(SECOND, second);
        start(new ControlSettings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofMillis(20),
                Duration.ofHours(1),
                3,
                2,
                8,
                100,
                2));
    }

    private void start(ControlSettings settings) throws IOException {
        DatanodeHome home = DatanodeHome.open(homeDisk, new DatanodeId("dn1"), time.randomness()::uuid);
        volume = Volume.open(disk, home.identity(), Chunks.terms(0), time.randomness()::uuid);
        served = new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 1000), 1, 900, time));
        plane = new ControlPlane(
                new DatanodeId("dn1"),
                "/rack1",
                List.of(FIRST, SECOND),
                home,
                new Volumes(List.of(served)),
                tokens,
                new PretendNetwork(),
                new Repairer(
                        "dn1",
                        new PretendNetwork(),
                        new Codes(Kernels.java()),
                        time,
                        time,
                        RepairSettings.defaults(),
                        () -> 0,
                        () -> Double.NaN),
                new Rewriter(
                        "dn1",
                        new ChunkClient(new PretendNetwork(), Duration.ofSeconds(1)),
                        new Codes(Kernels.java()),
                        new Environment(time, time.randomness(), time),
                        bytes -> CompletableFuture.completedFuture(null)),
                () -> 0.25,
                () -> Optional.of(relayed),
                new Environment(skewedClock(), time.randomness(), time),
                settings);
    }

    private Clock skewedClock() {
        return new Clock() {
            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public long epochMillis() {
                return time.epochMillis() + clockError.toMillis();
            }
        };
    }

    private void restart() throws IOException {
        plane.close();
        pass(1); // what is under way arrives
        volume.close();
        disk.restart(MemoryVolumeIo.Loss.UNSYNCED);
        homeDisk.restart(MemoryVolumeIo.Loss.UNSYNCED);
        start(ControlSettings.defaults());
    }

    /** Answers after a millisecond; a silent namenode never, until the call's own timeout. */
    private final class PretendNetwork implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            CompletableFuture<Envelope> answer = new CompletableFuture<>();
            PretendNamenode namenode = namenodes.get(to);
            if (namenode == null) {
                return CompletableFuture.failedFuture(new EcfsException(ErrorCode.UNREACHABLE, to + " is away"));
            }
            if (namenode.silent) {
                time.after(
                        timeout, () -> answer.completeExceptionally(new EcfsException(ErrorCode.TIMEOUT, "no answer")));
                return answer;
            }
            time.after(Duration.ofMillis(1), () -> {
                Envelope reply = Envelope.of(namenode.answer((DatanodeReport) request));
                if (namenode.loseNext > 0) {
                    namenode.loseNext--;
                    answer.completeExceptionally(new EcfsException(ErrorCode.CONNECTION_LOST, "lost"));
                } else {
                    answer.complete(reply);
                }
            });
            return answer;
        }

        @Override
        public void close() {}
    }

    private void start() {
        plane.start(new Address("dn1.example", 9866));
    }

    private void pass(int seconds) {
        time.advance(Duration.ofSeconds(seconds));
    }

    private void finalised(ChunkId chunk) throws EcfsException {
        volume.create(chunk, Stamp.NONE, POLICY, 1);
        volume.append(chunk, 1, 0, CELL, 0, payload(chunk, 0, CELL));
        volume.finish(chunk, 1, CELL, 3L * CELL, false);
    }

    private void tell(ChunkId chunk) {
        plane.changed(new ChunkChange.Present(V1, volume.find(chunk).orElseThrow()));
    }

    @Test
    void registersWithEveryNamenodeReportsInPagesAndJoinsTheCluster() throws IOException {
        for (int index = 0; index < 5; index++) {
            finalised(id(17, index));
            finalised(id(4, index));
        }
        start();
        pass(3);
        for (PretendNamenode namenode : namenodes.values()) {
            assertThat(namenode.registrations).isEqualTo(1);
            assertThat(namenode.fullReports).isEqualTo(1);
            assertThat(namenode.chunks.get(V1)).hasSize(10);
            assertThat(namenode.beats).hasSizeBetween(2, 4);
            assertThat(namenode.beats.get(1).volumes().get(0).chunks()).isEqualTo(10);
            assertThat(namenode.beats.get(1).volumes().get(0).freeBytes()).isPositive();
        }
        first.clusterId = "c2";
        restart();
        first.beats.clear();
        second.beats.clear();
        start();
        pass(3);
        assertThat(first.beats).as("another cluster's namenode is not believed").isEmpty();
        assertThat(second.beats).isNotEmpty();
    }

    /** Otherwise a report of the process before that arrives late makes the namenode take all that follow for old. */
    @Test
    void reportsAreAboveThoseOfTheProcessBeforeThoughTheClockWentBack() throws IOException {
        start();
        pass(3);
        long before = first.lastReportAt;
        clockError = Duration.ofHours(-1);
        restart();
        start();
        pass(3);
        assertThat(first.registrations).isEqualTo(2);
        assertThat(first.registeredAt).isGreaterThan(before);
    }

    @Test
    void aSilentNamenodeSlowsNoOther() {
        first.silent = true;
        start();
        pass(60);
        assertThat(second.beats).hasSizeGreaterThan(55);
        first.silent = false;
        pass(15);
        assertThat(first.registrations).isEqualTo(1);
        assertThat(first.fullReports).isEqualTo(1);
    }

    // HORRORS 29 (HDDS-14989): every namenode is told every change, until it has noted it.
    @Test
    void aChangeIsToldAgainUntilEachNamenodeHasNotedIt() throws IOException {
        start();
        pass(2);
        second.silent = true;
        finalised(CHUNK);
        tell(CHUNK);
        pass(1);
        assertThat(first.chunks.get(V1)).containsKey(CHUNK);
        assertThat(second.chunks.get(V1)).doesNotContainKey(CHUNK);
        pass(30);
        second.silent = false;
        pass(12);
        assertThat(second.chunks.get(V1)).containsKey(CHUNK);
        second.loseNext = 3;
        finalised(id(18, 0));
        tell(id(18, 0));
        pass(5);
        assertThat(second.chunks.get(V1)).containsKey(id(18, 0));
    }

    @Test
    void aChangeIsToldAtOnceAndThoseRightBehindItTogether() throws IOException {
        start();
        pass(2);
        int before = first.changeReports;
        finalised(CHUNK);
        tell(CHUNK);
        time.advance(Duration.ofMillis(3));
        assertThat(first.chunks.get(V1)).containsOnlyKeys(CHUNK);
        for (int index = 0; index < 2; index++) {
            finalised(id(18, index));
            tell(id(18, index));
            time.advance(Duration.ofMillis(5));
        }
        assertThat(first.changeReports - before).isEqualTo(1);
        time.advance(Duration.ofMillis(20));
        assertThat(first.changeReports - before).isEqualTo(2);
        assertThat(first.chunks.get(V1)).containsOnlyKeys(CHUNK, id(18, 0), id(18, 1));
    }

    @Test
    void tooManyChangesBecomeAFullReport() throws IOException {
        start();
        pass(2);
        second.silent = true;
        for (int index = 0; index < 20; index++) {
            finalised(id(20, index));
            tell(id(20, index));
        }
        pass(15);
        second.silent = false;
        pass(30);
        assertThat(second.chunks.get(V1)).hasSize(20);
        assertThat(second.fullReports).isGreaterThan(1);
        assertThat(first.chunks.get(V1)).hasSize(20);
    }

    @Test
    void aNamenodeThatForgotTheDatanodeIsToldEverythingAgain() throws IOException {
        start();
        pass(2);
        finalised(CHUNK);
        first.forgetDatanode();
        first.chunks.clear();
        pass(3);
        assertThat(first.registrations).isEqualTo(2);
        assertThat(first.chunks.get(V1)).containsKey(CHUNK);
        assertThat(second.registrations).isEqualTo(1);
    }

    @Test
    void ordersAreCarriedOutOnceAndAgainWithoutHarm() throws IOException {
        finalised(CHUNK);
        ChunkId open = id(30, 0);
        volume.create(open, Stamp.NONE, POLICY, 5);
        volume.append(open, 5, 0, CELL, 0, payload(open, 0, CELL));
        start();
        pass(2);
        first.orders = List.of(
                new DatanodeOrder.Delete(V1, CHUNK, Stamp.NONE),
                new DatanodeOrder.Delete(V1, id(99, 0), Stamp.NONE),
                new DatanodeOrder.Fence(V1, open, 4),
                new DatanodeOrder.Fence(V1, id(98, 0), 4),
                new DatanodeOrder.Finalise(V1, open, CELL, 3L * CELL),
                new DatanodeOrder.Delete(new VolumeId(77), CHUNK, Stamp.NONE));
        pass(5);
        assertThat(volume.find(CHUNK)).isEmpty();
        assertThat(volume.find(open)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
        for (PretendNamenode namenode : namenodes.values()) {
            assertThat(namenode.changes)
                    .contains(
                            new ChunkChange.Gone(V1, CHUNK),
                            new ChunkChange.Gone(V1, id(99, 0)),
                            new ChunkChange.Gone(V1, id(98, 0)))
                    .anyMatch(change -> change instanceof ChunkChange.Fenced fenced
                            && fenced.fence() == 4
                            && fenced.record().bytes() == CELL);
            assertThat(namenode.chunks.get(V1)).containsOnlyKeys(open);
        }
    }

    /**
     * A source that answers nothing, as many chunks as there are places for orders, and an order anew with every
     * heartbeat.
     */
    @Test
    void tailsThatAreNotToBeHadHoldUpNoOtherOrder() throws IOException {
        finalised(CHUNK);
        start();
        pass(2);
        second.silent = true;
        for (int beat = 1; beat <= 4; beat++) {
            List<DatanodeOrder> orders = new ArrayList<>();
            for (ChunkId open : List.of(id(30, 0), id(31, 0), id(32, 0))) {
                orders.add(fillFromSilence(open, beat));
            }
            orders.add(new DatanodeOrder.Verify(V1, CHUNK));
            first.orders = orders;
            pass(1);
        }
        assertThat(first.changes)
                .contains(new ChunkChange.Present(V1, volume.find(CHUNK).orElseThrow()));
    }

    private static DatanodeOrder fillFromSilence(ChunkId open, long expires) {
        ChunkLocation source = new ChunkLocation(
                id(open.group().value(), 1), V1, new DatanodeId("dn2"), SECOND, "/rack1", ChunkLocation.State.LIVE);
        TailCoverage tail = new TailCoverage(List.of(new TailCoverage.Range(0, 900)), List.of());
        return new DatanodeOrder.FillTail(
                V1,
                open,
                4,
                POLICY,
                900,
                List.of(new TailSource(source, tail)),
                new BlockToken(open.group(), Stamp.NONE, Right.READ, expires, 1, new byte[BlockToken.SIGNATURE_BYTES]));
    }

    /** A datanode of many small files leaves: what one heartbeat brings does not wait for the next one. */
    @Test
    void manyComparisonsThatComeTogetherAreMadeOneAfterTheOther() {
        start();
        pass(2);
        List<ChunkId> old =
                IntStream.range(30, 37).mapToObj(group -> id(group, 0)).toList();
        first.orders = old.stream().map(this::comparison).toList();
        pass(1);
        first.orders = List.of();
        pass(1);
        assertThat(first.changes.stream().map(change -> ((ChunkChange.Compared) change).old()))
                .containsAll(old);
    }

    private DatanodeOrder comparison(ChunkId chunk) {
        ChunkLocation old = new ChunkLocation(
                chunk, V1, new DatanodeId("dn2"), new Address("dn2.example", 9866), "/rack1", ChunkLocation.State.LIVE);
        ChunkLocation fresh = new ChunkLocation(
                new ChunkId(chunk.group(), chunk.index(), 1),
                V1,
                new DatanodeId("dn3"),
                new Address("dn3.example", 9866),
                "/rack1",
                ChunkLocation.State.LIVE);
        return new DatanodeOrder.Compare(
                V1,
                fresh,
                old,
                CELL,
                new BlockToken(chunk.group(), Stamp.NONE, Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]));
    }

    // HORRORS 23 and DESIGN invariant 5: a deposed leader changes nothing.
    @Test
    void ordersOfADeposedLeaderAreRefused() throws IOException {
        finalised(CHUNK);
        first.term = 3;
        second.term = 5;
        start();
        pass(2);
        first.orders = List.of(new DatanodeOrder.Delete(V1, CHUNK, Stamp.NONE));
        pass(5);
        assertThat(volume.find(CHUNK)).isPresent();
        first.term = 6;
        pass(5);
        assertThat(volume.find(CHUNK)).isEmpty();
    }

    // HORRORS 4 (HDFS-17003): the verdict is about exactly the chunk that was complained about.
    @Test
    void anOrderToVerifyReportsTheChunkCorrupt() throws IOException {
        finalised(CHUNK);
        finalised(id(17, 4));
        start();
        pass(2);
        disk.flipBit("finalised/11/17.3.0.data", 100, 1);
        first.orders = List.of(
                new DatanodeOrder.Verify(V1, CHUNK),
                new DatanodeOrder.Verify(V1, id(17, 4)),
                new DatanodeOrder.Verify(V1, id(17, 5)));
        pass(3);
        assertThat(second.chunks.get(V1).get(CHUNK).state()).isEqualTo(ChunkState.CORRUPT);
        assertThat(second.chunks.get(V1).get(id(17, 4)).state()).isEqualTo(ChunkState.FINALISED);
        assertThat(second.changes).contains(new ChunkChange.Gone(V1, id(17, 5)));
    }

    @Test
    void aNamenodeThatLagsBehindTakesNoTokenKeyAway() throws EcfsException {
        TokenKey old = new TokenKey(1, new byte[TokenKey.SECRET_BYTES], ManualTime.EPOCH_AT_START + 1_000_000);
        TokenKey fresh = new TokenKey(2, new byte[TokenKey.SECRET_BYTES], ManualTime.EPOCH_AT_START + 2_000_000);
        first.keys = List.of(old, fresh);
        second.keys = List.of(old);
        start();
        pass(10);
        tokens.require(
                BlockTokens.sign(fresh, CHUNK.group(), Stamp.NONE, Right.READ, ManualTime.EPOCH_AT_START + 900_000),
                TokenUse.whole(CHUNK, Right.READ, "ann"));
        tokens.require(
                BlockTokens.sign(old, CHUNK.group(), Stamp.NONE, Right.READ, ManualTime.EPOCH_AT_START + 900_000),
                TokenUse.whole(CHUNK, Right.READ, "ann"));
    }

    @Test
    void reportsFullyOnOrderAndNowAndThen() {
        start();
        pass(2);
        first.orders = List.of(new DatanodeOrder.ReportFully(V1));
        pass(1);
        first.orders = List.of();
        pass(2);
        assertThat(first.fullReports).isBetween(2, 3);
        assertThat(second.fullReports).isEqualTo(1);
        pass(3 * 3600);
        assertThat(second.fullReports).isBetween(3, 5);
    }

    @Test
    void heartbeatsSayWhatIsRelayedAtThatMoment() {
        start();
        pass(1);
        relayed = new RelayLoad(3, 1 << 20, 7);
        pass(2);
        for (PretendNamenode namenode : namenodes.values()) {
            List<DatanodeReport.Heartbeat> beats = new ArrayList<>(namenode.beats);
            assertThat(beats.get(beats.size() - 1).relays()).contains(relayed);
        }
    }

    @Test
    void aFailedVolumeIsReportedWithTheNextHeartbeats() throws IOException {
        finalised(CHUNK);
        start();
        pass(2);
        disk.faults((operation, path, number) -> {
            throw new IOException("Input/output error");
        });
        first.orders = List.of(new DatanodeOrder.Verify(V1, CHUNK));
        pass(3);
        for (PretendNamenode namenode : namenodes.values()) {
            List<DatanodeReport.Heartbeat> beats = new ArrayList<>(namenode.beats);
            assertThat(beats.get(beats.size() - 1).volumes().get(0).state()).isEqualTo(VolumeState.FAILED);
        }
    }
}

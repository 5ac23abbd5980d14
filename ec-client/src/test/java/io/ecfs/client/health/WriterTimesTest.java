package io.ecfs.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.access.CostSnapshot;
import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.plan.Standing;
import io.ecfs.client.ring.RingView;
import io.ecfs.code.ChunkSet;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Scheduler;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What slow answers of a volume that writes say of its datanode: nothing. */
class WriterTimesTest {
    private static final int BYTES = 100_000;
    private static final Duration USUAL = Duration.ofMillis(2);
    private static final Duration SLOW = Duration.ofMillis(100);

    private final ManualTime time = new ManualTime(3);
    private final ClientConfig config = ClientConfig.defaults();
    private final Scheduler owner = time.scheduler("owner");
    private final MeasuredCosts costs = new MeasuredCosts(
            time, owner, null, config.with("plan.probeEvery=1h").plan());
    private final DatanodeHealth health = new DatanodeHealth(
            time,
            config,
            costs,
            new BadChunkReports(report -> new CompletableFuture<>()),
            new RingView(time, CompletableFuture::new));
    private final LocatedGroup group = group();

    private static LocatedGroup group() {
        GroupId group = new GroupId(7);
        List<ChunkLocation> chunks = IntStream.range(0, 5)
                .mapToObj(index -> new ChunkLocation(
                        new ChunkId(group, index, 0),
                        new VolumeId(index + 1),
                        new DatanodeId("dn" + index),
                        new Address("dn" + index, 1),
                        "/rack",
                        ChunkLocation.State.LIVE))
                .toList();
        BlockToken token = new BlockToken(
                group, Stamp.NONE, BlockToken.Right.READ, Long.MAX_VALUE, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        return new LocatedGroup(group, Policy.parse("rs-3-2-64k"), 1000, chunks, token);
    }

    private ChunkLocation at(int index) {
        return group.chunk(index).orElseThrow();
    }

    private void answers(int index, Duration took, boolean writing) {
        health.countRequest();
        health.onRequest(at(index));
        long began = time.nanos();
        time.advance(took);
        health.onReply(at(index), BYTES, began, took.toNanos(), Optional.of(writing));
    }

    private void allAnswer() {
        for (int i = 0; i < 50; i++) {
            answers(i % 5, USUAL, false);
        }
    }

    @Test
    void aVolumeThatWritesDoesNotMakeItsDatanodeSlow() {
        allAnswer();
        for (int i = 0; i < 10; i++) {
            answers(0, SLOW, true);
        }
        assertThat(health.anySlow()).isFalse();
        assertThat(health.sources(group).of(0)).isEqualTo(Standing.WRITING);
        time.advance(Duration.ofSeconds(2));
        assertThat(health.sources(group).of(0)).isEqualTo(Standing.LIVE);
        for (int i = 0; i < 3; i++) {
            answers(0, SLOW, false);
        }
        assertThat(health.sources(group).of(0)).isEqualTo(Standing.SLOW);
        assertThat(health.roleCounts().writing().reads()).isEqualTo(10);
    }

    /** Reads under way when a volume begins to write are as fast as others: as its cost they would attract more. */
    @Test
    void readsThatSawATurnAreNoSamplesOfACost() {
        allAnswer();
        answers(0, USUAL, true);
        assertThat(cost(0, true)).as("unknown yet").isGreaterThan(5.0 * USUAL.toNanos());
        answers(0, SLOW, true);
        assertThat(cost(0, true)).isGreaterThan(0.9 * SLOW.toNanos());
        answers(0, SLOW, false);
        assertThat(cost(0, false)).isLessThan(2.0 * USUAL.toNanos());
    }

    private double cost(int index, boolean writing) {
        time.advance(Duration.ofMillis(10));
        return costs.snapshot().access(CostSnapshot.site(at(index).volume(), writing));
    }

    @Test
    void norDoReadsOfItThatAreCancelled() {
        allAnswer();
        answers(0, SLOW, true);
        for (int i = 0; i < 10; i++) {
            long began = time.nanos();
            time.advance(SLOW);
            health.onCancel(at(0), BYTES, began, SLOW.toNanos());
        }
        assertThat(health.anySlow()).isFalse();
        time.advance(Duration.ofSeconds(2));
        for (int i = 0; i < 3; i++) {
            long began = time.nanos();
            time.advance(SLOW);
            health.onCancel(at(0), BYTES, began, SLOW.toNanos());
        }
        assertThat(health.anySlow()).isTrue();
    }

    @Test
    void norDoesWhatATrialOfItTakes() {
        allAnswer();
        for (int i = 0; i < 3; i++) {
            answers(0, SLOW, false);
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(health.takeTrial(at(0).datanode())).isTrue();
        long began = health.onTrialRequest();
        time.advance(USUAL);
        health.onTrialEnd(at(0), true, BYTES, began, Optional.of(true));
        assertThat(health.anySlow())
                .as("an answer while it writes says nothing")
                .isTrue();
        time.advance(Duration.ofSeconds(2));
        assertThat(health.takeTrial(at(0).datanode())).isTrue();
        began = health.onTrialRequest();
        time.advance(USUAL);
        health.onTrialEnd(at(0), true, BYTES, began, Optional.of(false));
        assertThat(health.anySlow()).isFalse();
    }

    @Test
    void aChunkThatAPlanByCostsChoseIsReadAlthoughItsVolumeWrites() {
        answers(0, USUAL, true);
        SourceStates sources = health.sources(group);
        assertThat(sources.of(0)).isEqualTo(Standing.WRITING);
        sources.prefer(ChunkSet.of(0));
        assertThat(sources.of(0)).isEqualTo(Standing.LIVE);
        assertThat(sources.onWriter(0)).isTrue();
        assertThat(sources.of(1)).isEqualTo(Standing.PASSED_OVER);
    }
}

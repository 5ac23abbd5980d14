package io.ecfs.client.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.client.base.PlanConfig;
import io.ecfs.code.ChunkSet;
import io.ecfs.env.ManualTime;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.GreedyPlanner;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a client learns of the costs of volumes, and what it asks to learn it. */
class MeasuredCostsTest {
    private static final Duration SOON = Duration.ofMillis(5);

    private final ManualTime time = new ManualTime(1);
    private final List<Integer> asked = new ArrayList<>();
    private final PlanConfig config = new PlanConfig(
            true, false, 65_536, Duration.ofSeconds(1), 2, Duration.ofSeconds(1), 1.5, PlanConfig.Choice.COST);
    private final MeasuredCosts costs =
            new MeasuredCosts(time, time.scheduler("owner"), new ChunkClient(new Idle(), SOON), config);

    /** Datanodes that say at once that they are not busy. */
    private final class Idle implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            VolumeId volume = ((VolumeLoad.Ask) request).volume();
            asked.add(volume.value());
            payload.release();
            return CompletableFuture.completedFuture(Envelope.of(new VolumeLoad.Reply(volume, 0)));
        }

        @Override
        public void close() {}
    }

    private static ChunkLocation on(int volume) {
        return new ChunkLocation(
                new ChunkId(new GroupId(1), volume, 0),
                new VolumeId(volume),
                new DatanodeId("dn" + volume),
                new Address("dn" + volume, 1),
                "/rack",
                ChunkLocation.State.LIVE);
    }

    private void read(int volume, int bytes, double millis) {
        costs.asked(on(volume));
        long nanos = Math.round(millis * 1e6);
        time.advance(Duration.ofNanos(nanos));
        costs.answered(on(volume), bytes, nanos, false);
    }

    private double accessMillis(int volume) {
        time.advance(SOON);
        return costs.snapshot().access(volume) / 1e6;
    }

    @Test
    void readsOfManySizesTellWhatABytesCostsAndWhatTurningToTheVolume() {
        Random random = new Random(3);
        for (int i = 0; i < 2000; i++) {
            int bytes = 10_000 + random.nextInt(190_000);
            read(1, bytes, 5 + 10e-6 * bytes);
        }
        assertThat(costs.snapshot().perByte(1)).isCloseTo(10, within(0.3));
        assertThat(accessMillis(1)).isCloseTo(5, within(0.1));
        assertThat(costs.snapshot().access(77))
                .as("of a volume that is not known")
                .isEqualTo(5e6, within(1e5));
        assertThat(asked).isEmpty();
    }

    @Test
    void aQueueIsFollowedWithinAFewReadsAndIsNoReasonToThinkBytesDear() {
        for (int i = 0; i < 500; i++) {
            read(1, 50_000, 3);
        }
        double perByte = costs.snapshot().perByte(1);
        for (int i = 0; i < 8; i++) {
            read(1, 50_000, 43);
        }
        assertThat(accessMillis(1)).isGreaterThan(25);
        assertThat(costs.snapshot().perByte(1)).isCloseTo(perByte, within(0.1));
    }

    @Test
    void asksOnlyTheVolumesThatReadsCouldUseAndThatNothingWasHeardOf() {
        List<ChunkLocation> could = List.of(on(1), on(2), on(3));
        for (int i = 0; i < 50; i++) {
            costs.considered(could);
            read(1, 50_000, 3);
            time.advance(Duration.ofMillis(97));
        }
        assertThat(asked).doesNotContain(1).contains(2, 3).hasSizeBetween(6, 10);
        time.advance(Duration.ofSeconds(3));
        int before = asked.size();
        time.advance(Duration.ofMinutes(1));
        assertThat(asked).as("while nothing is read").hasSize(before);
    }

    @Test
    void aVolumeThatPlansAvoidIsFoundToBeIdleAgain() {
        for (int i = 0; i < 20; i++) {
            read(1, 50_000, 200);
        }
        assertThat(accessMillis(1)).isGreaterThan(150);
        for (int i = 0; i < 10; i++) {
            costs.considered(List.of(on(1)));
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(accessMillis(1)).isLessThan(10);
    }

    @Test
    void aReadThatWasCalledOffTellsThatItWouldHaveTakenLonger() {
        for (int i = 0; i < 20; i++) {
            read(1, 50_000, 3);
        }
        for (int i = 0; i < 10; i++) {
            costs.calledOff(on(1), 50_000, 1_000_000, false);
        }
        assertThat(accessMillis(1)).as("no answer that would be sooner").isCloseTo(3, within(0.3));
        for (int i = 0; i < 10; i++) {
            costs.calledOff(on(1), 50_000, 60_000_000, false);
        }
        assertThat(accessMillis(1)).isGreaterThan(30);
    }

    @Test
    void singleReadsLookAtCostsOnlyWhenAVolumeIsSlowAgainAndAgain() {
        for (int i = 0; i < 40; i++) {
            read(1 + i % 4, 50_000, 1);
        }
        read(1, 50_000, 300);
        time.advance(SOON);
        assertThat(costs.snapshot().uneven()).as("one slow read").isFalse();
        for (int i = 0; i < 3; i++) {
            read(1, 50_000, 30);
        }
        time.advance(SOON);
        assertThat(costs.snapshot().uneven()).isTrue();
    }

    /** Costs that change with each answer, as queues do, must not empty the cache of plans. */
    @Test
    void nineOfTenPlansComeFromTheCacheUnderQueuesThatComeAndGo() {
        int sites = 32;
        int blocks = 500;
        Random random = new Random(5);
        List<BlockNeed> needs = IntStream.range(0, blocks)
                .mapToObj(block -> BlockNeed.anyOf(
                        2,
                        random.ints(1, sites + 1)
                                .distinct()
                                .limit(4)
                                .mapToObj(site -> new Candidate(site, site, 50_000))
                                .toList()))
                .toList();
        ReadPlans plans = new ReadPlans(
                config,
                costs,
                time.scheduler("plans"),
                time,
                time,
                time.randomness(),
                limit -> (some, now) -> Optional.empty());
        double[] queueMillis = new double[sites + 1];
        ReadPlans.Counts warm = plans.counts();
        for (int request = 0; request < 4000; request++) {
            if (request == 2500) {
                warm = plans.counts();
            }
            int first = (int) (blocks * Math.pow(random.nextDouble(), 3));
            int last = Math.min(blocks, first + 1 + random.nextInt(20));
            List<ReadPlans.Block> wanted = IntStream.range(first, last)
                    .mapToObj(b -> new ReadPlans.Block(BlockKey.of(new GroupId(b + 1), needs.get(b)), needs.get(b)))
                    .toList();
            for (ChunkSet chunks : plans.plan(wanted, 0).orElseThrow().plan().chunks()) {
                for (int site : chunks) {
                    queueMillis[site] = 0.9 * queueMillis[site] + random.nextDouble() * 6;
                    costs.asked(on(site));
                    costs.answered(on(site), 50_000, (long) (1e6 * (3 + queueMillis[site])), false);
                }
            }
            time.advance(Duration.ofMillis(1));
        }
        ReadPlans.Counts counts = plans.counts();
        double hits = counts.hits() - warm.hits();
        assertThat(hits / (hits + counts.misses() - warm.misses()))
                .as("seed 5: %s", counts)
                .isGreaterThan(0.9);
    }

    @Test
    void aVolumeThatWritesIsNotProbed() {
        MeasuredCosts rotating = new MeasuredCosts(
                time,
                time.scheduler("other"),
                new ChunkClient(new Idle(), SOON),
                config,
                volume -> volume.value() == 2);
        for (int i = 0; i < 50; i++) {
            rotating.considered(List.of(on(1), on(2), on(3)));
            time.advance(Duration.ofMillis(100));
        }
        assertThat(asked).contains(1, 3).doesNotContain(2);
    }

    private void readWhileWriting(int volume, int bytes, double millis) {
        costs.asked(on(volume));
        costs.answered(on(volume), bytes, Math.round(millis * 1e6), true);
        time.advance(SOON);
    }

    @Test
    void aVolumeThatWritesHasACostOfItsOwn() {
        for (int i = 0; i < 20; i++) {
            read(1, 50_000, 2);
            read(2, 50_000, 2);
            readWhileWriting(1, 50_000, 30);
        }
        int writer = CostSnapshot.site(new VolumeId(1), true);
        assertThat(accessMillis(1)).isLessThan(2);
        assertThat(accessMillis(writer)).isCloseTo(30, within(1.0));
        assertThat(accessMillis(CostSnapshot.site(new VolumeId(2), true)))
                .as("another one that writes costs what those do that are known")
                .isCloseTo(30, within(1.0));
        assertThat(costs.snapshot().uneven())
                .as("volumes that write are slow by intent")
                .isFalse();
        time.advance(Duration.ofMinutes(1));
        read(1, 50_000, 2);
        assertThat(accessMillis(writer))
                .as("a cost that is not measured any more is forgotten")
                .isBetween(20.0, 23.0);
    }

    /** A read of one cell: the chunk that has it, or any three others. */
    private ChunkSet chosen(double readerMillis, double writerMillis) {
        for (int i = 0; i < 50; i++) {
            for (int volume = 1; volume <= 4; volume++) {
                read(volume, 4096, readerMillis);
            }
            readWhileWriting(9, 4096, writerMillis);
        }
        time.advance(SOON);
        List<Candidate> candidates = new ArrayList<>();
        candidates.add(new Candidate(0, CostSnapshot.site(new VolumeId(9), true), 4096));
        for (int index = 1; index <= 4; index++) {
            candidates.add(new Candidate(index, CostSnapshot.site(new VolumeId(index), false), 4096));
        }
        return new GreedyPlanner()
                .plan(List.of(new BlockNeed(3, ChunkSet.of(0), candidates)), costs.snapshot())
                .orElseThrow()
                .chunks()
                .get(0);
    }

    @Test
    void oneWriterIsReadWhereItCostsLessThanThreeOthers() {
        assertThat(chosen(2, 30)).isEqualTo(ChunkSet.of(1, 2, 3));
        assertThat(chosen(11, 30)).isEqualTo(ChunkSet.of(0));
    }
}

package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.repair.StoredGroup.Mood;
import io.ecfs.env.Environment;
import io.ecfs.env.ManualTime;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A chunk and the one that stands in for it, compared by a datanode that holds neither. */
class ChunkComparisonTest {
    private static final String POLICY = "rs-3-2-64k";
    private static final long LENGTH = 3 * 2 * (64 << 10) + 50_000;
    private static final int INDEX = 3;

    private final Environment environment = RealEnvironment.open();
    private final StoredGroup old = new StoredGroup(POLICY, LENGTH, 5);
    private final StoredGroup fresh = new StoredGroup(POLICY, LENGTH, 5);
    private final List<BadChunk> bad = new CopyOnWriteArrayList<>();

    /** Generation 1 is that of the fresh chunk. */
    private final class Network implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            int generation = ((ChunkRequest) request).chunk().generation();
            return (generation == 1 ? fresh : old).call(to, request, payload, timeout);
        }

        @Override
        public void close() {}
    }

    private boolean alike() {
        RepairSettings settings = RepairSettings.defaults();
        try (Repairer repairer = new Repairer(
                "dn7",
                new Network(),
                new Codes(Kernels.java()),
                environment.clock(),
                environment.threads(),
                settings,
                () -> 0,
                () -> Double.NaN)) {
            DatanodeOrder.Compare order = old.comparison(INDEX);
            try {
                return repairer.compare(order, bad::add).join();
            } finally {
                assertThat(repairer.usedBytes()).isZero();
                assertThat(old.bytesOut.get() + fresh.bytesOut.get()).isZero();
            }
        }
    }

    @Test
    void theWholeOfTheFreshOneIsReadAndTheChecksumsOfTheOldOne() {
        assertThat(alike()).isTrue();
        assertThat(fresh.bytesAsked.get()).isEqualTo(fresh.chunks[INDEX].length);
        assertThat(old.bytesAsked.get()).isZero();
        assertThat(old.checksumsAsked.get()).isEqualTo(1);
        assertThat(fresh.checksumsAsked.get())
                .as("it is not asked what its checksums are")
                .isZero();
    }

    @Test
    void oneWrongByteAnywhereIsFoundThoughItsChecksumsMatch() {
        fresh.moods[INDEX] = Mood.WRONG_BYTE;
        int bytes = fresh.chunks[INDEX].length;
        for (long at = 0; at < bytes; at = at == bytes - 1 ? bytes : Math.min(bytes - 1, at + 10_007)) {
            fresh.wrongAt = at;
            assertThat(alike()).as("byte %d", at).isFalse();
        }
        assertThat(bad).isEmpty();
    }

    @Test
    void rottenChecksumsOfTheOldOneAreNoDispute() {
        old.moods[INDEX] = Mood.ROTTEN_SUM;
        old.wrongAt = 70_000;
        assertThatThrownBy(this::alike).hasMessageContaining("does not match");
        assertThat(bad)
                .extracting(BadChunk::chunk)
                .containsExactly(old.comparison(INDEX).old().chunk());
    }

    @Test
    void whatCannotBeReadIsNotLikeAnything() {
        fresh.moods[INDEX] = Mood.UNREACHABLE;
        assertThatThrownBy(this::alike).hasMessageContaining("does not answer");
        fresh.moods[INDEX] = Mood.DAMAGED;
        assertThatThrownBy(this::alike).hasMessageContaining("does not match");
        fresh.moods[INDEX] = Mood.WELL;
        old.checksumsFail = Optional.of(ErrorCode.CHUNK_MISSING);
        assertThatThrownBy(this::alike).hasMessageContaining("does not answer");
    }

    /** A datanode that was away comes back with all that was rebuilt meanwhile: no user waits for that. */
    @Test
    void itTakesWhatTheMachineHasLeftOver() {
        ManualTime time = new ManualTime(7);
        RepairSettings defaults = RepairSettings.defaults();
        RepairSettings settings = new RepairSettings(
                defaults.atOnce(),
                defaults.threads(),
                defaults.bufferBytes(),
                64 << 10,
                defaults.slicesAtOnce(),
                defaults.crossCheckOneSliceIn(),
                defaults.readTimeout(),
                new RepairSettings.Limit(0, 0, 0, 64 << 10));
        try (Repairer repairer =
                new Repairer("dn7", new Network(), new Codes(Kernels.java()), time, time, settings, () -> 0, () -> 0)) {
            CompletableFuture<Boolean> alike = repairer.compare(old.comparison(INDEX), bad::add);
            time.advance(Duration.ofSeconds(1));
            assertThat(alike).isNotDone();
            time.advance(Duration.ofSeconds(5));
            assertThat(alike).isCompletedWithValue(true);
        }
    }
}

package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.repair.OriginalCheck.Compared;
import io.ecfs.datanode.repair.OriginalCheck.State;
import io.ecfs.datanode.repair.StoredGroup.Mood;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two slices that differ from the original, whose bytes are on their way for both: those of the first are right, those
 * of the second rotted.
 */
class OriginalCheckTest {
    private static final int INDEX = 0;
    private static final int SLICE = 16 << 10;

    private final StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10), 5);
    /** By offset. */
    private final Map<Long, CompletableFuture<Void>> turns = new TreeMap<>();

    private final Caller network = new Caller() {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            if (request instanceof ChunkRequest.ReadChunk read) {
                CompletableFuture<Void> turn = new CompletableFuture<>();
                turns.put(read.offset(), turn);
                return turn.thenCompose(now -> group.call(to, request, payload, timeout));
            }
            return group.call(to, request, payload, timeout);
        }

        @Override
        public void close() {}
    };

    private final List<BadChunk> bad = new ArrayList<>();
    private final OriginalCheck check = new OriginalCheck(
            group.computedMove(INDEX),
            new ChunkClient(network, Duration.ofSeconds(10)),
            bad::add,
            group.chunks[INDEX].length);
    private CompletableFuture<Compared> first;
    private CompletableFuture<Compared> second;

    @BeforeEach
    void begin() {
        group.moods[INDEX] = Mood.ROTTEN_SUM;
        group.wrongAt = SLICE;
        assertThat(check.begin()).isCompleted();
        assertThat(check.state()).isEqualTo(State.READ);
        first = differing(0);
        second = differing(SLICE);
        assertThat(turns).containsOnlyKeys(0L, (long) SLICE);
    }

    /** A slice whose first window is not the original's. */
    private CompletableFuture<Compared> differing(int offset) {
        ByteBuf payload = Unpooled.directBuffer(ChunkPayload.payloadBytes(SLICE));
        payload.writeZero(ChunkPayload.checksumBytes(SLICE)).writeBytes(group.chunks[INDEX], offset, SLICE);
        int data = ChunkPayload.checksumBytes(SLICE);
        payload.setByte(data, payload.getByte(data) ^ 1);
        ChunkPayload.seal(payload, SLICE);
        CompletableFuture<Compared> compared = check.compare(offset, SLICE, payload);
        payload.release();
        return compared;
    }

    private void answer(int offset) {
        turns.get((long) offset).complete(null);
    }

    @Test
    void oneThatIsRejectedIsDisputedByNoSliceThatWasUnderWay() {
        answer(SLICE);
        assertThat(second.join()).isInstanceOf(Compared.Rejected.class);
        assertThat(check.state()).isEqualTo(State.REJECTED);
        answer(0);
        assertThat(first.join()).as("computed anew").isInstanceOf(Compared.Rejected.class);
        assertThat(check.state()).isEqualTo(State.REJECTED);
        assertThat(bad).hasSize(1);
    }

    @Test
    void oneThatIsDisputedStaysSoThoughItRottedUnderAnotherSlice() {
        answer(0);
        assertThat(first.join()).isInstanceOf(Compared.Disputed.class);
        assertThat(check.state()).isEqualTo(State.DISPUTED);
        answer(SLICE);
        assertThat(second.join()).isInstanceOf(Compared.Rejected.class);
        assertThat(check.state()).isEqualTo(State.DISPUTED);
        assertThat(bad).as("that it rotted is true all the same").hasSize(1);
    }

    @Test
    void aMissingAnswerFailsNothingAfterARejection() {
        answer(SLICE);
        group.moods[INDEX] = Mood.UNREACHABLE;
        answer(0);
        assertThat(first.join()).isInstanceOf(Compared.Rejected.class);
    }
}

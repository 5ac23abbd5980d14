package io.ecfs.wire.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.AnswerBytes;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.WireFixture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaitingRequestsTest {
    private static final BlockToken TOKEN = new BlockToken(
            new GroupId(17), Stamp.NONE, BlockToken.Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
    private static final int READ = 4096;
    private static final long EACH = AnswerBytes.expected(read(1, false).request.head());
    private static final int REQUEST_BYTES = 100;

    private final MemoryBudget answers = new MemoryBudget("answers", 4 * EACH);
    private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
    private final List<List<Long>> went = new ArrayList<>();
    private final WaitingRequests waiting = new WaitingRequests(answers, loop::add, message -> went.add(ids(message)));

    private static ServerCall read(long id, boolean spare) {
        return new ServerCall(
                id,
                Envelope.of(new ChunkRequest.ReadChunk(WireFixture.CHUNK, new VolumeId(1), 0, READ, TOKEN, spare)),
                REQUEST_BYTES,
                0);
    }

    private static ServerCall change(long id) {
        return new ServerCall(id, Envelope.of(WireFixture.write(1)), REQUEST_BYTES, 0);
    }

    private static List<ServerCall> reads(int from, int to) {
        return IntStream.range(from, to).mapToObj(id -> read(id, false)).toList();
    }

    private static List<Long> ids(List<ServerCall> calls) {
        return calls.stream().map(call -> call.id).toList();
    }

    private void turn() {
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }

    private void giveBack(int answersOfReads) {
        answers.release(answersOfReads * EACH);
        turn();
    }

    @Test
    void messagesGoInOrderEachWhenAllItsAnswersHaveMemory() {
        waiting.add(reads(0, 3));
        waiting.add(reads(3, 5));
        waiting.add(List.of(change(5)));
        assertThat(went).containsExactly(List.of(0L, 1L, 2L));
        assertThat(waiting.requestBytes()).isEqualTo(3 * REQUEST_BYTES);
        giveBack(1);
        assertThat(went).containsExactly(List.of(0L, 1L, 2L), List.of(3L, 4L), List.of(5L));
        assertThat(waiting.requestBytes()).isZero();
    }

    @Test
    void whatNeedsNoAnswerMemoryWaitsForNone() {
        answers.acquire(4 * EACH);
        answers.acquire(EACH); // of another connection, which waits
        waiting.add(List.of(change(1)));
        waiting.add(List.of(read(2, true), read(3, true)));
        assertThat(went).containsExactly(List.of(1L), List.of(2L, 3L));
    }

    @Test
    void whatIsWithdrawnDoesNotGoAndHoldsUpNobody() {
        waiting.add(reads(0, 3));
        waiting.add(reads(3, 6));
        waiting.add(List.of(change(6)));
        waiting.add(List.of(read(7, false)));
        assertThat(waiting.withdraw(6)).as("a change").isEmpty();
        assertThat(waiting.withdraw(0)).as("gone by then").isEmpty();
        assertThat(waiting.withdraw(4).orElseThrow().id).isEqualTo(4);
        assertThat(waiting.withdraw(4)).isEmpty();
        assertThat(went).hasSize(1);
        giveBack(2);
        assertThat(went).containsExactly(List.of(0L, 1L, 2L), List.of(3L, 5L), List.of(6L), List.of(7L));
        assertThat(answers.usedBytes()).isEqualTo(4 * EACH);

        waiting.add(reads(8, 10));
        waiting.add(List.of(change(10)));
        waiting.withdraw(8);
        waiting.withdraw(9);
        assertThat(went).endsWith(List.of(10L));
        assertThat(answers.waiting()).isZero();
    }

    @Test
    void whenOnlySparesAreLeftOfAMessageItWaitsForNoMemory() {
        waiting.add(reads(0, 4));
        waiting.add(List.of(read(4, false), read(5, true)));
        waiting.add(List.of(change(6)));
        waiting.withdraw(4);
        assertThat(went).containsExactly(List.of(0L, 1L, 2L, 3L), List.of(5L), List.of(6L));
        assertThat(answers.waiting()).isZero();
    }

    @Test
    void memoryThatIsGrantedTooLateGoesBack() {
        waiting.add(reads(0, 4));
        waiting.add(reads(4, 6));
        answers.release(4 * EACH); // granted, and not heard of yet
        waiting.withdraw(4);
        waiting.withdraw(5);
        turn();
        assertThat(answers.usedBytes()).isZero();
        waiting.add(reads(6, 10));
        waiting.add(reads(10, 12));
        assertThat(ids(waiting.close())).containsExactly(10L, 11L);
        giveBack(4);
        assertThat(answers.usedBytes()).isZero();
        assertThat(went).containsExactly(List.of(0L, 1L, 2L, 3L), List.of(6L, 7L, 8L, 9L));
        assertThat(waiting.requestBytes()).isZero();
    }

    @Test
    void nothingGoesToAPeerThatTakesNoAnswers() {
        waiting.pause();
        waiting.add(List.of(change(1)));
        waiting.add(reads(2, 4));
        assertThat(went).isEmpty();
        assertThat(answers.usedBytes()).isZero();
        waiting.withdraw(2);
        waiting.resume();
        assertThat(went).containsExactly(List.of(1L), List.of(3L));
        assertThat(answers.usedBytes()).isEqualTo(EACH);
    }

    @Test
    void whateverIsWithdrawnEveryOtherGoesOnceAndAllIsGivenBack() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<Long> expected = new ArrayList<>();
            int running = 0;
            int counted = went.size();
            for (int step = 0, id = 0; step < 200; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        int count = 1 + random.nextInt(4);
                        reads(id, id + count).forEach(call -> expected.add(call.id));
                        waiting.add(reads(id, id + count));
                        id += count;
                    }
                    case 2 -> waiting.withdraw(random.nextInt(id + 1)).ifPresent(call -> expected.remove(call.id));
                    case 3 -> waiting.pause();
                    case 4 -> waiting.resume();
                    default -> turn();
                }
                for (; counted < went.size(); counted++) {
                    running += went.get(counted).size();
                }
                if (running > 0 && random.nextBoolean()) {
                    answers.release(EACH);
                    running--;
                }
            }
            waiting.resume();
            for (int left = 0; left < 1000; left++) {
                for (; counted < went.size(); counted++) {
                    running += went.get(counted).size();
                }
                giveBack(running > 0 ? 1 : 0);
                running = Math.max(0, running - 1);
            }
            assertThat(went.stream().flatMap(List::stream)).as("seed %d", seed).containsExactlyElementsOf(expected);
            assertThat(answers.usedBytes()).as("seed %d", seed).isZero();
            assertThat(waiting.requestBytes()).as("seed %d", seed).isZero();
            went.clear();
        }
    }
}

package io.ecfs.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ChunkSet;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.TailSource;
import io.ecfs.transfer.ChunkClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes of an open group's last stripe come from its tail logs as long as they have them, and no buffer is lost on the
 * way.
 */
class TailReaderTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");

    private BufferPool scratch = new BufferPool("scratch", 1 << 20);
    private TailPeers peers = new TailPeers(POLICY);
    private Policy policy = POLICY;

    /** Runs work at once, on the caller's thread. */
    private static final class CallingThread implements Workers {
        @Override
        public <T> CompletableFuture<T> submit(Callable<T> work) {
            CompletableFuture<T> result = new CompletableFuture<>();
            Workers.run(work, result);
            return result;
        }

        @Override
        public int queued() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private void under(String name) {
        policy = Policy.parse(name);
        peers = new TailPeers(policy);
    }

    private byte[] read(long from, long to) {
        return new TailReader(
                        new ChunkClient(peers, Duration.ofSeconds(1)),
                        policy,
                        peers.code(),
                        TailPeers.TOKEN,
                        peers.sources(),
                        new CallingThread(),
                        scratch)
                .read(from, to)
                .join();
    }

    private void assertReads(long from, long to) {
        assertThat(read(from, to)).as("[%s, %s)", from, to).isEqualTo(TailPeers.data(from, to));
    }

    private EcfsException refused(long from, long to) {
        CompletionException failure = catchThrowableOfType(CompletionException.class, () -> read(from, to));
        assertThat(failure).as("[%s, %s) was read", from, to).isNotNull();
        return EcfsException.of(failure);
    }

    private static List<Integer> chunks(int... indexes) {
        return IntStream.of(indexes).boxed().toList();
    }

    private List<Integer> asked() {
        return peers.calls().stream().map(call -> call.chunk().index()).toList();
    }

    @AfterEach
    void everyScratchBufferIsBack() {
        assertThat(scratch.loans()).isZero();
    }

    @Test
    void oneMirrorGivesAnyPartOfItsStretchWithOneCall() {
        peers.mirrored(5000, 9000, 3);
        assertReads(5000, 9000);
        assertReads(5000, 5001);
        assertReads(8999, 9000);
        assertReads(6001, 8003);
        assertThat(peers.calls()).extracting(ChunkRequest.ReadTail::most).containsExactly(4000, 1, 1, 2002);
    }

    @Test
    void nothingIsAskedForARangeWithoutBytes() {
        peers.mirrored(0, 100, 0);
        assertThat(read(40, 40)).isEmpty();
        assertThat(peers.calls()).isEmpty();
    }

    @Test
    void aMirrorThatDoesNotAnswerOrHasNothingIsReplacedByTheNext() {
        peers.mirrored(100, 900, 0, 2, 4);
        peers.fail(0);
        peers.empty(2);
        assertReads(100, 900);
        assertThat(asked()).containsExactly(0, 2, 4);
    }

    /** Its mirrored record was overtaken by a coded one between the probe and the read. */
    @Test
    void aMirrorThatAnswersWithACellIsNotTakenAtItsWord() {
        peers.coded(0, 900, chunks(0, 1, 2));
        peers.mirrored(0, 900, 0, 4);
        List<TailSource> announced = peers.sources();
        TailPeers now = new TailPeers(POLICY);
        now.coded(0, 900, chunks(0, 1, 2));
        now.mirrored(0, 900, 4);
        byte[] bytes = new TailReader(
                        new ChunkClient(now, Duration.ofSeconds(1)),
                        POLICY,
                        now.code(),
                        TailPeers.TOKEN,
                        announced,
                        new CallingThread(),
                        scratch)
                .read(0, 900)
                .join();
        assertThat(bytes).isEqualTo(TailPeers.data(0, 900));
    }

    @Test
    void stretchesOfSeveralChunksAndCodedRecordsAreJoined() {
        peers.mirrored(0, 300, 1);
        peers.mirrored(300, 310, 4);
        peers.coded(290, 2290, chunks(0, 2, 3));
        peers.coded(2290, 2490, chunks(1, 2, 4));
        for (long from : new long[] {0, 299, 300, 309, 310, 2289, 2290, 2489}) {
            for (long to : new long[] {1, 300, 301, 310, 311, 2290, 2291, 2490}) {
                if (from < to) {
                    assertReads(from, to);
                }
            }
        }
    }

    /** What one answer takes in memory is bounded. */
    @Test
    void aLongStretchIsReadInPiecesOfAMebibyte() {
        under("rs-3-2-1024k");
        int end = (2 << 20) + 5;
        peers.mirrored(0, end, 0);
        assertReads(0, end);
        assertThat(peers.calls()).extracting(ChunkRequest.ReadTail::most).containsExactly(1 << 20, 1 << 20, 5);
    }

    /** Lengths at which the last cells are whole, short and without a byte of their own. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-4k", "xor-2-1-4k", "lrc-4-2-1-4k", "clay-4-2-5-20k"})
    void anyCellsThatDetermineTheOthersGiveACodedRecord(String name) {
        under(name);
        for (long length : new long[] {128, 129, 500, 3000, policy.stripeBytes() - 1}) {
            for (int bits = 0; bits < 1 << policy.chunks(); bits++) {
                int chosen = bits;
                List<Integer> here = IntStream.range(0, policy.chunks())
                        .filter(index -> (chosen >> index & 1) == 1)
                        .boxed()
                        .toList();
                peers = new TailPeers(policy);
                peers.coded(4000, 4000 + length, here);
                if (policy.code().decodable(ChunkSet.of(here))) {
                    assertReads(4000, 4000 + length);
                } else {
                    assertThat(refused(4000, 4000 + length).code()).isEqualTo(ErrorCode.GROUP_UNREADABLE);
                }
            }
        }
    }

    @Test
    void oneByteOfACodedRecordIsReadFromTheWholeRecord() {
        peers.coded(4000, 4900, chunks(0, 3, 4));
        assertReads(4899, 4900);
        assertReads(4000, 4001);
        assertReads(4450, 4500);
        assertThat(peers.calls()).extracting(ChunkRequest.ReadTail::most).containsOnly(POLICY.cellBytes());
    }

    @Test
    void cellsThatCannotBeReadAreDoneWithout() {
        peers.coded(0, 900, chunks(0, 1, 2, 3, 4));
        peers.fail(0);
        peers.empty(2);
        assertReads(0, 900);
        peers.fail(3);
        EcfsException failure = refused(0, 900);
        assertThat(failure.code()).isEqualTo(ErrorCode.GROUP_UNREADABLE);
        assertThat(failure)
                .hasMessageContaining("g7")
                .hasMessageContaining("byte 0")
                .hasMessageContaining("[1, 4]");
    }

    @Test
    void onlyCellsOfTheRecordThatCoversTheByteAreAskedFor() {
        peers.coded(0, 900, chunks(0, 1, 2));
        peers.coded(900, 1000, chunks(2, 3, 4));
        assertReads(900, 1000);
        assertThat(asked()).containsExactly(2, 3, 4);
    }

    /** Of different lengths, and of the same length at different places. */
    @Test
    void cellsOfDifferentRecordsAreNeverDecodedTogether() {
        peers.coded(0, 900, chunks(0, 1));
        peers.coded(0, 800, chunks(2));
        assertThat(refused(0, 1).code()).isEqualTo(ErrorCode.GROUP_UNREADABLE);
        peers = new TailPeers(POLICY);
        peers.coded(0, 900, chunks(0, 1));
        peers.coded(10, 910, chunks(2));
        assertThat(refused(100, 101).code()).isEqualTo(ErrorCode.GROUP_UNREADABLE);
    }

    @Test
    void aCellOfAnotherSizeThanItsRecordHasIsRefused() {
        peers.coded(0, 900, chunks(0, 1));
        peers.codedTooShort(0, 900, 3);
        EcfsException failure = refused(0, 900);
        assertThat(failure.code()).isEqualTo(ErrorCode.MALFORMED);
        assertThat(failure).hasMessageContaining("cell 3").hasMessageContaining("not 320");
    }

    @Test
    void bytesBehindTheLastRecordAreUnreadable() {
        peers.mirrored(0, 100, 0);
        assertThat(refused(50, 101)).hasMessageContaining("byte 100");
        assertThatThrownBy(() -> read(100, 101)).hasRootCauseInstanceOf(EcfsException.class);
    }

    @Test
    void aDecodeWithTooLittleScratchMemoryReleasesWhatItGot() {
        scratch = new BufferPool("small", 2 * 320);
        peers.coded(0, 900, chunks(0, 1, 3));
        assertThat(refused(0, 900).code()).isEqualTo(ErrorCode.BUSY);
    }
}

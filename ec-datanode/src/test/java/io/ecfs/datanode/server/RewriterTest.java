package io.ecfs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Range;
import io.ecfs.message.namespace.SealedGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RewriterTest {
    private static final Policy SOURCE = Policy.parse("rs-3-2-64k");
    private static final Policy SMALL_CELLS = Policy.parse("rs-2-1-4k");
    private static final Policy TARGET = Policy.parse("rs-2-1-64k");
    private static final int WINDOW = Policy.CHECKSUM_WINDOW_BYTES;
    private static final GroupId FIRST = new GroupId(1);
    private static final GroupId SECOND = new GroupId(2);

    private final OneDatanode datanode = new OneDatanode();
    private byte[] first;
    private byte[] second;

    @BeforeEach
    void writeSources() throws IOException {
        datanode.start();
        first = datanode.write(FIRST, SOURCE, (int) (5 * SOURCE.stripeBytes() + 77_777));
        second = datanode.write(SECOND, SMALL_CELLS, 300_001);
    }

    @AfterEach
    void nothingLeaks() {
        datanode.close();
    }

    private byte[] expected(List<Range> ranges) {
        byte[] expected = new byte[(int) ranges.get(ranges.size() - 1).end()];
        for (Range range : ranges) {
            byte[] source = range.group().equals(FIRST) ? first : second;
            System.arraycopy(source, (int) range.offset(), expected, (int) range.at(), (int) range.length());
        }
        return expected;
    }

    private static Range range(GroupId group, long offset, long length, long at) {
        return new Range(group, offset, length, at);
    }

    private void assertCopied(Policy target, List<Range> ranges) throws EcfsException {
        SealedGroup sealed = datanode.rewrite(target, ranges).join();
        byte[] expected = expected(ranges);
        assertThat(sealed.length()).isEqualTo(expected.length);
        assertThat(sealed.finished()).hasSize(target.chunks());
        assertThat(datanode.readBack(target, expected.length)).isEqualTo(expected);
    }

    @Test
    void rangesComeToTheirPlacesWithZerosBetweenThem() throws EcfsException {
        assertCopied(
                TARGET,
                List.of(
                        range(FIRST, 0, 60_000, 0),
                        range(SECOND, 4096, 65_536, 65_536),
                        range(FIRST, 100_001, 300_000, 131_072),
                        range(SECOND, 300_000, 1, 524_288)));
    }

    /** Ranges at any offsets, of any lengths around those of windows and cells. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void anyRangesAreCopied(long seed) throws EcfsException {
        Random random = new Random(seed);
        List<Range> ranges = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < 1 + random.nextInt(40); i++) {
            GroupId group = random.nextBoolean() ? FIRST : SECOND;
            int bytes = group.equals(FIRST) ? first.length : second.length;
            int length = 1 + random.nextInt(random.nextInt(3) == 0 ? bytes - 1 : 3 * WINDOW);
            int offset = random.nextInt(bytes - length + 1);
            at += random.nextBoolean() ? 0 : random.nextInt(70_000);
            ranges.add(range(group, random.nextBoolean() ? offset : offset / WINDOW * WINDOW, length, at));
            at += length;
        }
        assertCopied(random.nextBoolean() ? TARGET : SMALL_CELLS, ranges);
    }

    private List<Range> some() {
        return List.of(range(FIRST, 4 * WINDOW, 40 * WINDOW + 10, 0), range(SECOND, 0, 20 * WINDOW, 48L * WINDOW));
    }

    /** Those of a read are right, but for its offset: of bytes a window further on. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void bytesFromAWrongOffsetAreNotReported(long source) {
        GroupId group = new GroupId(source);
        boolean[] shifted = new boolean[1];
        datanode.onRead = read -> {
            if (shifted[0] || !read.chunk().group().equals(group)) {
                return read;
            }
            shifted[0] = true;
            return new ChunkRequest.ReadChunk(
                    read.chunk(), read.volume(), read.offset() + WINDOW, read.bytes(), read.token());
        };
        EcfsException refused = OneDatanode.failure(datanode.rewrite(TARGET, some()));
        assertThat(shifted[0]).isTrue();
        assertThat(refused.code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(refused.getMessage())
                .startsWith("bytes [")
                .contains("of group " + OneDatanode.TARGET + " are not those of its sources")
                .doesNotContain("\n");
    }

    /** Each cell of the second stripe goes to the next chunk, with its checksums. */
    @Test
    void bytesInAWrongPlaceAreNotReported() {
        datanode.onWrite = write -> {
            int index = write.chunk().index();
            boolean swapped = write.chunk().group().equals(OneDatanode.TARGET)
                    && write.offset() == TARGET.cellBytes()
                    && index < TARGET.dataChunks();
            return swapped ? (index + 1) % TARGET.dataChunks() : index;
        };
        EcfsException refused = OneDatanode.failure(datanode.rewrite(TARGET, List.of(range(FIRST, 0, 400_000, 0))));
        assertThat(refused.getMessage()).contains("of which they should be a copy");
    }

    @Test
    void alignedBytesAreComparedByStoredChecksumsAlone() {
        datanode.forgetReads();
        List<Range> aligned = List.of(range(FIRST, 0, 5 * SOURCE.stripeBytes(), 0));
        assertThat(datanode.rewrite(TARGET, aligned)).isCompleted();
        assertThat(datanode.bytesRead()).isEqualTo(5 * SOURCE.stripeBytes());
    }

    @Test
    void ofOtherBytesTheWindowsAtTheEdgesOfTheSourceAreRead() {
        datanode.forgetReads();
        long length = 4 * SOURCE.stripeBytes();
        assertThat(datanode.rewrite(TARGET, List.of(range(FIRST, 100, length, 0))))
                .isCompleted();
        long cuts = length / TARGET.stripeBytes() / 64 + 1;
        assertThat(datanode.bytesRead() - length).isBetween(1L, (1 + cuts) * 2 * WINDOW);
    }

    /** As clients pack them: the rest of a file's last window is zeros. */
    @Test
    void smallFilesOfPacksAreComparedByStoredChecksumsButForTheLast() throws IOException {
        byte[] pack = new byte[(int) SOURCE.stripeBytes()];
        List<Range> files = new ArrayList<>();
        for (int i = 0; i < 20; i += 2) {
            Arrays.fill(pack, i * WINDOW, i * WINDOW + 1000 + i, (byte) (i + 1));
            files.add(range(new GroupId(3), (long) i * WINDOW, 1000 + i, (long) files.size() * WINDOW));
        }
        datanode.write(new GroupId(3), SOURCE, pack);
        datanode.forgetReads();
        assertThat(datanode.rewrite(TARGET, files)).isCompleted();
        long copied = files.stream().mapToLong(Range::length).sum();
        long last = files.get(files.size() - 1).length();
        assertThat(datanode.bytesRead() - copied)
                .as("behind the last is no gap")
                .isEqualTo(last);
    }

    @Test
    void aSourceWhoseChecksumsCannotBeReadIsReported() {
        datanode.lostChecksums = group -> !group.equals(OneDatanode.TARGET);
        List<BadChunk> bad = new ArrayList<>();
        EcfsException failed = OneDatanode.failure(datanode.rewrite(TARGET, some(), bad::add));
        assertThat(failed.code()).isEqualTo(ErrorCode.CHUNK_MISSING);
        assertThat(bad)
                .isNotEmpty()
                .allSatisfy(chunk -> assertThat(chunk.chunk().group()).isIn(FIRST, SECOND));
    }

    @Test
    void anOrderWithoutBytesFails() {
        CompletableFuture<SealedGroup> none = datanode.rewrite(TARGET, List.of());
        assertThat(OneDatanode.failure(none).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    /** The tail's cells are smaller than the policy's. */
    @Test
    void aTailIsCopiedAndCompared() throws EcfsException {
        int length = 5 * WINDOW + 5;
        assertCopied(TARGET, List.of(range(FIRST, first.length - length, length, 0)));
    }
}

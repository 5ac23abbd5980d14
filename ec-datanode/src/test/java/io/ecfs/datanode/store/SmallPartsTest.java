package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.ChunkFiles.Kind;
import io.ecfs.datanode.store.ChunkFiles.Place;
import io.ecfs.env.Clock;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Names of files, heads of tail records and allowances: each at its bounds. */
class SmallPartsTest {
    private static final ChunkId CHUNK = new ChunkId(id(0x1F2, 0).group(), 4, 2);
    private static final UUID VOLUME = new UUID(5, 6);

    @Test
    void aChunksFilesLieInTheFanOfItsGroupsLowByte() {
        ChunkFiles files = new ChunkFiles(Place.FINALISED, CHUNK);
        assertThat(files.data()).isEqualTo("finalised/f2/498.4.2.data");
        assertThat(files.sum()).isEqualTo("finalised/f2/498.4.2.sum");
        assertThat(files.tail()).as("beside the chunks being written").isEqualTo("writing/f2/498.4.2.tail");
        assertThat(files.in(Place.WRITING).data()).isEqualTo("writing/f2/498.4.2.data");
    }

    @Test
    void onlyTheOneNameOfAChunksFileIsRead() {
        assertThat(ChunkFiles.parse("498.4.2.data")).contains(new ChunkFiles.Name(CHUNK, Kind.DATA));
        assertThat(ChunkFiles.parse("498.4.2.sum")).contains(new ChunkFiles.Name(CHUNK, Kind.SUM));
        assertThat(ChunkFiles.parse("498.4.2.tail")).contains(new ChunkFiles.Name(CHUNK, Kind.TAIL));
        for (String stray : List.of(
                "0498.4.2.data",
                "498.04.2.data",
                "0.4.2.data",
                "498.4.2.DATA",
                "498.4.2",
                "498.4.2.data~",
                "498.999.2.data",
                "9999999999999999999.4.2.data",
                "498.4.9999999999.sum")) {
            assertThat(ChunkFiles.parse(stray)).as(stray).isEmpty();
        }
    }

    @Test
    void theHeadOfATailRecordIsReadBackForItsChunkOnItsVolumeAlone() {
        for (TailForm form : TailForm.values()) {
            TailRecord record = new TailRecord(3, 1000, 500, form);
            ByteBuffer head = TailRecordFormat.head(CHUNK, record, 192, VOLUME);
            assertThat(head.remaining()).isEqualTo(TailRecordFormat.HEAD_BYTES);
            assertThat(head.getInt(0)).isEqualTo(0x45434654);
            assertThat(TailRecordFormat.parse(head, CHUNK, VOLUME)).contains(new TailRecordFormat.Head(record, 192));
            ChunkId otherGroup = new ChunkId(id(0x1F3, 0).group(), 4, 2);
            for (ChunkId other :
                    List.of(otherGroup, new ChunkId(CHUNK.group(), 3, 2), new ChunkId(CHUNK.group(), 4, 1))) {
                assertThat(TailRecordFormat.parse(head, other, VOLUME)).isEmpty();
            }
            assertThat(TailRecordFormat.parse(head, CHUNK, new UUID(5, 7))).isEmpty();
            assertThat(TailRecordFormat.parse(head, CHUNK, new UUID(4, 6))).isEmpty();
            for (int at = 0; at < TailRecordFormat.HEAD_BYTES; at++) {
                ByteBuffer damaged = TailRecordFormat.head(CHUNK, record, 192, VOLUME);
                damaged.put(at, (byte) (damaged.get(at) ^ 4));
                assertThat(TailRecordFormat.parse(damaged, CHUNK, VOLUME))
                        .as("byte %s", at)
                        .isEmpty();
            }
            assertThat(TailRecordFormat.parse(head.limit(TailRecordFormat.HEAD_BYTES - 1), CHUNK, VOLUME))
                    .isEmpty();
        }
        assertThat(TailRecordFormat.fileBytes(0)).isEqualTo(80);
        assertThat(TailRecordFormat.fileBytes(4097)).isEqualTo(80 + 8 + 4097);
    }

    /** A clock that the test sets. */
    private static final class SetClock implements Clock {
        private long nanos = -50;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    }

    @Test
    void unreadableFilesAreAllowedUpToTheAllowanceOfAPeriod() {
        SetClock clock = new SetClock();
        ReadErrors errors = new ReadErrors(new ReadErrorAllowance(2, Duration.ofNanos(100)), clock);
        assertThat(errors.allow("a")).isTrue();
        clock.nanos += 10;
        assertThat(errors.allow("b")).isTrue();
        assertThat(errors.allow("c")).isFalse();
        assertThat(errors.allow("a")).as("a file counts once").isTrue();
        clock.nanos += 89;
        assertThat(errors.allow("c")).as("99 ns after the first").isFalse();
        clock.nanos += 1;
        assertThat(errors.allow("c")).as("100 ns after the first").isTrue();
        assertThat(errors.allow("a")).isFalse();
        clock.nanos += 10;
        assertThat(errors.allow("d")).as("the second is over too").isTrue();
        assertThat(new ReadErrors(new ReadErrorAllowance(0, Duration.ofNanos(1)), clock).allow("a"))
                .isFalse();
    }

    @Test
    void anAllowanceHasAPeriodAndNoNegativeNumber() {
        assertThatThrownBy(() -> new ReadErrorAllowance(-1, Duration.ofNanos(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ReadErrorAllowance(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ReadErrorAllowance(1, Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

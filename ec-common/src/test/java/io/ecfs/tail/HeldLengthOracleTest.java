package io.ecfs.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Every combination of what four chunks may look like, those that no single writer leaves behind too, against an oracle
 * that writes down the pieces of each chunk one by one.
 */
class HeldLengthOracleTest {
    private static final Policy POLICY = Policy.parse("rs-2-2-4k");
    private static final GroupId GROUP = new GroupId(7);
    private static final long CELL = POLICY.cellBytes();
    private static final long STRIPE = POLICY.stripeBytes();
    /** No tail; a tail in all chunks, in all but the second, of whole cells. */
    private static final List<Long> LENGTHS =
            List.of(STRIPE, STRIPE + 50, STRIPE + 60, STRIPE + 1000, 2 * STRIPE - 1, 2 * STRIPE, 2 * STRIPE + 50);

    private static List<Optional<ChunkRecord>> looks(int index) {
        List<Optional<ChunkRecord>> looks = new ArrayList<>();
        looks.add(Optional.empty());
        looks.add(record(index, ChunkState.CORRUPT, 2 * CELL, 2 * CELL, 2 * STRIPE));
        looks.add(record(index, ChunkState.FINALISED, 0, 0, 0));
        for (long length : List.of(STRIPE + 50, STRIPE + 1000, 2 * STRIPE - 1, 2 * STRIPE)) {
            long bytes = new GroupLayout(POLICY, length).chunkBytes(index);
            looks.add(record(index, ChunkState.FINALISED, bytes, bytes, length));
        }
        looks.add(record(index, ChunkState.FINALISED, CELL, CELL, 2 * STRIPE));
        for (int cells = 0; cells <= 2; cells++) {
            looks.add(record(index, ChunkState.BEING_WRITTEN, cells * CELL, cells * CELL, -1));
        }
        long tail = new GroupLayout(POLICY, STRIPE + 1000).chunkBytes(index);
        looks.add(record(index, ChunkState.BEING_WRITTEN, tail, CELL, STRIPE + 1000));
        looks.add(record(index, ChunkState.BEING_WRITTEN, 2 * CELL, CELL, 2 * STRIPE - 1));
        long tooLong = POLICY.groupBytes() / POLICY.dataChunks() + CELL;
        looks.add(record(index, ChunkState.BEING_WRITTEN, tooLong, tooLong, -1));
        return looks;
    }

    private static Optional<ChunkRecord> record(
            int index, ChunkState state, long bytes, long fullStripeBytes, long length) {
        return Optional.of(
                new ChunkRecord(new ChunkId(GROUP, index, 0), state, bytes, fullStripeBytes, length, Stamp.NONE));
    }

    /** What a chunk is made of: whole cells, and at most one tail, which is known to be one. */
    private record Pieces(long cells, long tailBytes) {
        static Pieces of(int index, long length) {
            GroupLayout layout = new GroupLayout(POLICY, length);
            return new Pieces(layout.fullStripes(), layout.chunkBytes(index) - layout.fullStripes() * CELL);
        }

        static Pieces of(ChunkRecord record) {
            if (record.state() != ChunkState.FINALISED) {
                return new Pieces(record.fullStripeBytes() / CELL, record.bytes() - record.fullStripeBytes());
            }
            Pieces told = of(record.chunk().index(), record.groupLength());
            long cells = Math.min(told.cells, record.bytes() / CELL);
            return new Pieces(cells, cells < told.cells ? 0 : Math.min(told.tailBytes, record.bytes() - cells * CELL));
        }
    }

    private static boolean holds(long length, ChunkRecord record) {
        if (record.state() == ChunkState.CORRUPT) {
            return false;
        }
        Pieces needed = Pieces.of(record.chunk().index(), length);
        Pieces had = Pieces.of(record);
        if (length % STRIPE == 0) {
            return had.cells >= needed.cells;
        }
        boolean noTail = record.state() == ChunkState.BEING_WRITTEN && had.tailBytes == 0;
        boolean sameTail = noTail || record.groupLength() == length;
        return sameTail && had.equals(needed);
    }

    private static List<ChunkId> holders(long length, List<ChunkRecord> records) {
        return length == 0
                ? List.of()
                : records.stream()
                        .filter(r -> holds(length, r))
                        .map(ChunkRecord::chunk)
                        .toList();
    }

    private static RecoverableLength expected(List<ChunkRecord> records) {
        TreeSet<Long> told = new TreeSet<>(Collections.reverseOrder());
        records.stream()
                .filter(r -> r.state() == ChunkState.FINALISED && r.groupLength() > 0)
                .forEach(r -> told.add(r.groupLength()));
        for (long length : told) {
            if (holders(length, records).size() >= POLICY.dataChunks()) {
                return new RecoverableLength(length, length, false, holders(length, records));
            }
        }
        long stripes = POLICY.groupBytes() / STRIPE;
        while (holders(stripes * STRIPE, records).size() < POLICY.dataChunks() && stripes > 0) {
            stripes = stripes > 5 ? fewer(stripes, records) : stripes - 1;
        }
        return new RecoverableLength(stripes * STRIPE, stripes * STRIPE, false, holders(stripes * STRIPE, records));
    }

    /** All lengths between the largest and the few small ones are held alike. */
    private static long fewer(long stripes, List<ChunkRecord> records) {
        long fewest = 5;
        return holders(fewest * STRIPE, records).size() < POLICY.dataChunks() ? fewest : stripes - 1;
    }

    @Test
    void whatAChunkHoldsIsWhatItsPiecesAre() {
        for (int index = 0; index < 4; index++) {
            for (Optional<ChunkRecord> look : looks(index)) {
                for (long length : LENGTHS) {
                    look.ifPresent(
                            record -> assertThat(RecoverableLength.holds(new GroupLayout(POLICY, length), record))
                                    .as("%s of a group of %s bytes", record, length)
                                    .isEqualTo(holds(length, record)));
                }
            }
        }
    }

    @Test
    void everyCombinationHasTheLongestLengthThatKChunksHold() {
        for (Optional<ChunkRecord> first : looks(0)) {
            for (Optional<ChunkRecord> second : looks(1)) {
                for (Optional<ChunkRecord> third : looks(2)) {
                    for (Optional<ChunkRecord> fourth : looks(3)) {
                        check(List.of(first, second, third, fourth));
                    }
                }
            }
        }
    }

    private static void check(List<Optional<ChunkRecord>> looks) {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        for (int index = 0; index < looks.size(); index++) {
            answers.put(index, looks.get(index));
        }
        List<ChunkRecord> sound = looks.stream()
                .flatMap(Optional::stream)
                .filter(r -> r.state() != ChunkState.CORRUPT)
                .toList();
        RecoverableLength found = RecoverableLength.of(POLICY, answers).orElseThrow();
        if (!found.equals(expected(sound))) {
            assertThat(found).as("%s", looks).isEqualTo(expected(sound));
        }
    }
}

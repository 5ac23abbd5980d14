package io.ecfs.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class PatchIndexTest {
    private static final GroupId GROUP = new GroupId(17);
    private static final long AT = 10_000;

    /** Of source 1: [0, 10) at 100 and [20, 30) at 200. */
    private static PatchIndex example() {
        PatchMap map = new PatchMap();
        map.put(0, 10, 1, 100);
        map.put(10, 5, 2, 0);
        map.put(20, 10, 1, 200);
        return PatchIndex.of(map, 1, 42, 50, 30);
    }

    /** The bytes of the example, which may be changed. */
    private static ByteBuffer bytes() {
        ByteBuffer encoded = example().encode();
        return ByteBuffer.allocate(encoded.remaining()).put(encoded).flip();
    }

    @Test
    void hasTheEntriesOfItsSource() throws EcfsException {
        PatchIndex index = PatchIndex.decode(GROUP, AT, example().encode());
        assertThat(index.lastBatch()).isEqualTo(42);
        assertThat(index.fileLength()).isEqualTo(50);
        assertThat(index.shortestLength()).isEqualTo(30);
        assertThat(index.count()).isEqualTo(2);
        assertThat(index.position(1)).isEqualTo(20);
        assertThat(index.length(1)).isEqualTo(10);
        assertThat(index.groupOffset(1)).isEqualTo(200);
        assertThat(index.encode().remaining()).isEqualTo(PatchIndex.bytesOf(2)).isEqualTo(36 + 2 * 20);
    }

    @Test
    void anIndexWithoutEntriesHasTheLengths() throws EcfsException {
        PatchIndex index = PatchIndex.decode(
                GROUP, AT, PatchIndex.of(new PatchMap(), 0, 1, 7, 0).encode());
        assertThat(index.count()).isZero();
        assertThat(index.fileLength()).isEqualTo(7);
    }

    @Test
    void groupsGiveTheSameMapByIndexAndByBatches() throws EcfsException {
        for (int seed = 0; seed < 150; seed++) {
            requireSameMaps(new Random(seed), seed);
        }
    }

    /** Writes some groups, and reads each by its index or by its batches. */
    private static void requireSameMaps(Random random, int seed) throws EcfsException {
        PatchMap written = new PatchMap();
        PatchMap read = new PatchMap();
        PlainFile file = new PlainFile(2_000);
        long length = 0;
        long number = 0;
        int groups = 5;
        for (int group = 0; group < groups; group++) {
            List<PatchBatch> batches = new ArrayList<>();
            long end = 0;
            long shortest = length;
            for (int i = random.nextInt(8); i >= 0; i--) {
                List<Write> writes = new ArrayList<>();
                if (random.nextInt(4) == 0) {
                    length = random.nextInt(2_000);
                } else {
                    for (int w = random.nextInt(6); w > 0; w--) {
                        int position = random.nextInt(1_900);
                        writes.add(new Write(position, 1 + random.nextInt(100)));
                        length = Math.max(length, writes.get(writes.size() - 1).end());
                    }
                }
                PatchBatch batch = PatchBatch.plan(end, ++number, length, writes);
                batches.add(batch);
                written.apply(group, batch);
                applyTo(file, group, batch);
                shortest = Math.min(shortest, length);
                end = batch.end();
            }
            if (random.nextBoolean()) {
                PatchIndex index = PatchIndex.of(written, group, number, length, shortest);
                read.apply(group, PatchIndex.decode(GROUP, end, index.encode()));
            } else {
                for (PatchBatch batch : batches) {
                    read.apply(group, batch);
                }
            }
        }
        try {
            file.requireSame(written, groups);
            file.requireSame(read, groups);
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static void applyTo(PlainFile file, int source, PatchBatch batch) {
        file.truncate((int) Math.min(2_000, batch.fileLength()));
        for (int i = 0; i < batch.count(); i++) {
            file.put((int) batch.position(i), batch.length(i), source, batch.dataOffset(i));
        }
    }

    @Test
    void whatWasTruncatedStaysSoWhenTheFileGrewAgain() throws EcfsException {
        PatchMap map = new PatchMap();
        map.put(0, 100, 0, 0);
        PatchMap later = new PatchMap();
        later.put(60, 10, 1, 0);
        PatchIndex index = PatchIndex.of(later, 1, 9, 70, 50);
        map.apply(1, PatchIndex.decode(GROUP, 10, index.encode()));
        assertThat(map.at(49)).isEqualTo(new Piece(49, 1, 0, 49));
        assertThat(map.at(50)).isEqualTo(new Piece(50, 10, PatchMap.GAP, 0));
    }

    @Test
    void refusesAnyFlippedBitAndAnyOtherLength() {
        for (int bit = 0; bit < 8 * bytes().remaining(); bit++) {
            ByteBuffer bytes = bytes();
            bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
            requireMalformed(bytes);
        }
        for (int length = 0; length < bytes().remaining(); length++) {
            requireMalformed(bytes().limit(length));
        }
        requireMalformed(
                ByteBuffer.allocate(bytes().remaining() + 1).put(bytes()).rewind());
        requireMalformed(ByteBuffer.allocate(0));
    }

    @Test
    void refusesFieldsOutOfBoundsThatMatchTheirChecksum() throws EcfsException {
        assertThat(PatchIndex.decode(GROUP, AT, forged(bytes())).count()).isEqualTo(2);
        int second = 36 + 20;
        for (ByteBuffer bytes : List.of(
                bytes().putInt(0, 0x45504902), // a version that is not known
                bytes().putInt(4, Integer.MAX_VALUE),
                bytes().putInt(4, -1),
                bytes().putInt(4, 1), // fewer entries than bytes for them
                bytes().putLong(8, 0),
                bytes().putLong(16, Write.MAX_POSITION + 1),
                bytes().putLong(16, 29), // below the shortest, and the end of an entry
                bytes().putLong(24, 51),
                bytes().putLong(24, -1),
                bytes().putLong(36, -1),
                bytes().putLong(second, 9), // overlaps the entry before
                bytes().putLong(second, 41),
                bytes().putLong(second, Long.MAX_VALUE),
                bytes().putInt(second + 8, 0),
                bytes().putInt(second + 8, -1),
                bytes().putInt(second + 8, PatchMap.MAX_PIECE_BYTES + 1),
                bytes().putLong(second + 12, -1),
                bytes().putLong(second + 12, AT - 9))) { // reaches into the index
            requireMalformed(forged(bytes));
        }
    }

    private static ByteBuffer forged(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, 32));
        crc.update(bytes.slice(36, bytes.limit() - 36));
        return bytes.putInt(32, (int) crc.getValue());
    }

    private static void requireMalformed(ByteBuffer bytes) {
        assertThatThrownBy(() -> PatchIndex.decode(GROUP, AT, bytes))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED))
                .hasMessageContaining("g17")
                .hasMessageContaining("read the headers of the group's batches instead");
    }

    @Test
    void refusesLengthsThatContradictTheMap() {
        PatchMap map = new PatchMap();
        map.put(0, 10, 0, 0);
        assertThatThrownBy(() -> PatchIndex.of(map, 0, 1, 9, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PatchIndex.of(map, 0, 1, 10, 11)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PatchIndex.of(map, 0, 0, 10, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}

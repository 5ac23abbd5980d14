package io.ecfs.datanode.store.ring.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The bytes of the file change only with its magic. */
class DrainedFileTest {
    private final MemoryVolumeIo disk = new MemoryVolumeIo("device", 1L << 20, new SplittableRandom(1));
    private final DrainedFile file = on(disk);

    private static DrainedFile on(MemoryVolumeIo disk) {
        return new DrainedFile(new StagingArea(disk, new DeviceNames(disk, new Unsynced(false))));
    }

    private static LsnRanges range(long first, long last) {
        LsnRanges ranges = new LsnRanges();
        ranges.add(first, last);
        return ranges;
    }

    private static byte[] golden() throws IOException {
        try (InputStream golden = DrainedFileTest.class.getResourceAsStream("drained.txt")) {
            String digits = new String(golden.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\s", "");
            return HexFormat.of().parseHex(digits);
        }
    }

    private void put(String name, byte[] bytes) throws IOException {
        disk.createDirectory(StagingArea.DIRECTORY);
        disk.create(StagingArea.path(name));
        disk.write(StagingArea.path(name), 0, ByteBuffer.wrap(bytes));
    }

    @Test
    void theFileHasTheBytesOfTheGoldenFile() throws IOException {
        file.add(LsnRanges.of(List.of(3L, 1L, 2L)));
        file.add(range(0x0102_0304L, 0x0102_0304_0506_0708L));
        ByteBuffer all = ByteBuffer.allocate(
                (int) disk.length(StagingArea.path(DrainedFile.NAME)).orElseThrow());
        disk.read(StagingArea.path(DrainedFile.NAME), 0, all);
        assertThat(all.array()).isEqualTo(golden());
    }

    @Test
    void theGoldenFileIsRead() throws IOException {
        put(DrainedFile.NAME, golden());
        assertThat(file.read().lastByFirst())
                .containsExactly(Map.entry(1L, 3L), Map.entry(0x0102_0304L, 0x0102_0304_0506_0708L));
    }

    @Test
    void aFileOfTheFirstVersionIsReadAndGoesWithTheOther() throws IOException {
        put(DrainedFile.NAME_1, ByteBuffer.allocate(19).putLong(7).putLong(9).array());
        file.add(range(20, 30));
        LsnRanges read = file.read();
        assertThat(List.of(7L, 9L, 20L, 30L)).allMatch(read::contains);
        assertThat(List.of(8L, 10L, 19L, 31L)).noneMatch(read::contains);
        file.delete();
        assertThat(disk.files()).isEmpty();
        assertThat(file.read().isEmpty()).isTrue();
    }

    @Test
    void whatALossOfPowerTearsDoesNotCount() throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            MemoryVolumeIo torn = new MemoryVolumeIo("device", 1L << 20, new SplittableRandom(seed));
            DrainedFile before = on(torn);
            before.add(range(1, 5));
            long end = torn.length(StagingArea.path(DrainedFile.NAME)).orElseThrow();
            torn.crashAtMutation(torn.mutations()); // in the write
            try {
                before.add(range(0x1_0000_0001L, 0x1_0000_0002L));
            } catch (IOException e) {
                assertThat(torn.crashed()).as("%s", e).isTrue();
            }
            torn.restart(Loss.NOTHING);
            long length = torn.length(StagingArea.path(DrainedFile.NAME)).orElseThrow();
            on(torn).add(range(100, 110));
            LsnRanges read = on(torn).read();
            assertThat(read.contains(3) && read.contains(105))
                    .as("seed %s, %s", seed, length - end)
                    .isTrue();
            assertThat(read.contains(50) || read.contains(0x1_0000_0000L)).isFalse();
        }
    }

    @Test
    void rangesAreThoseOfTheirNumbers() {
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            LsnRanges ranges = new LsnRanges();
            Set<Long> expected = new TreeSet<>();
            for (int step = 0; step < 20; step++) {
                long first = random.nextInt(60);
                long last = first + random.nextInt(8) - 1;
                ranges.add(first, last);
                for (long lsn = first; lsn <= last; lsn++) {
                    expected.add(lsn);
                }
            }
            for (long lsn = -1; lsn < 80; lsn++) {
                assertThat(ranges.contains(lsn)).isEqualTo(expected.contains(lsn));
            }
            long previous = Long.MIN_VALUE;
            for (var range : ranges.lastByFirst().entrySet()) {
                assertThat(range.getKey()).as("neither overlaps nor touches").isGreaterThan(previous + 1);
                previous = range.getValue();
            }
        }
    }
}

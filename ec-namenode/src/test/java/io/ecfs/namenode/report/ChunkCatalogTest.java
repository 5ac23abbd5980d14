package io.ecfs.namenode.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange.Gone;
import io.ecfs.message.chunk.ChunkChange.Present;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeReport.FullReport;
import io.ecfs.namenode.report.ChunkCatalog.Page;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChunkCatalogTest {
    private static final VolumeId VOLUME = new VolumeId(3);
    private final ChunkCatalog catalog = new ChunkCatalog(1_000_000);

    private static ChunkRecord whole(long group) {
        return new ChunkRecord(
                new ChunkId(new GroupId(group), 1, 0), ChunkState.FINALISED, 4096, 4096, 9000, Stamp.NONE);
    }

    private static FullReport page(long report, int page, boolean last, ChunkRecord... chunks) {
        return new FullReport(new DatanodeId("dn1"), "u", 1, VOLUME, report, page, last, List.of(chunks));
    }

    private List<Long> groups() {
        return catalog.after(VOLUME, null, 1000).stream()
                .map(r -> r.chunk().group().value())
                .toList();
    }

    @Test
    void aReportCountsWhenItsLastPageArrives() {
        catalog.take(new Present(VOLUME, whole(9)));
        assertThat(catalog.take(page(1, 0, false, whole(1), whole(2)))).isEqualTo(Page.TAKEN);
        assertThat(groups()).containsExactly(9L);
        assertThat(catalog.reported(VOLUME)).isFalse();
        assertThat(catalog.take(page(1, 1, true, whole(3)))).isEqualTo(Page.COMPLETE);
        assertThat(groups()).containsExactly(1L, 2L, 3L);
        assertThat(catalog.reported(VOLUME)).isTrue();
    }

    @Test
    void changesDuringAReportLieOnTopOfIt() {
        catalog.take(page(1, 0, false, whole(1), whole(2)));
        catalog.take(new Gone(VOLUME, whole(2).chunk()));
        catalog.take(new Present(VOLUME, whole(7)));
        catalog.take(page(1, 1, true, whole(3)));
        assertThat(groups()).containsExactly(1L, 3L, 7L);
    }

    @Test
    void aVolumeHasNoMoreChunksThanItMayWhateverItsDatanodeSays() {
        ChunkCatalog small = new ChunkCatalog(3);
        assertThat(small.take(page(1, 0, true, whole(1), whole(2)))).isEqualTo(Page.COMPLETE);
        assertThat(small.take(new Present(VOLUME, whole(3)))).isTrue();
        assertThat(small.take(new Present(VOLUME, whole(4)))).isFalse();
        assertThat(small.take(new Present(VOLUME, whole(3)))).isTrue();
        assertThat(small.count(VOLUME)).isEqualTo(3);
        assertThat(small.take(new Gone(VOLUME, whole(1).chunk()))).isTrue();
        assertThat(small.take(new Present(VOLUME, whole(4)))).isTrue();

        assertThat(small.take(page(2, 0, false, whole(1), whole(2)))).isEqualTo(Page.TAKEN);
        assertThat(small.take(page(2, 1, true, whole(3), whole(4)))).isEqualTo(Page.TOO_MANY);
        assertThat(small.reported(VOLUME)).isFalse();
        assertThat(small.take(page(3, 0, false, whole(1)))).isEqualTo(Page.TAKEN);
        for (int group = 10; group < 20; group++) {
            small.take(new Present(VOLUME, whole(group)));
            small.take(new Gone(VOLUME, whole(group).chunk()));
        }
        assertThat(small.take(page(3, 1, true, whole(2)))).isEqualTo(Page.BROKEN);
    }

    @Test
    void aRepeatedPageIsTakenOnceAndAMissingPageBreaksTheReport() {
        catalog.take(page(1, 0, false, whole(1)));
        assertThat(catalog.take(page(1, 0, false, whole(1)))).isEqualTo(Page.TAKEN);
        assertThat(catalog.take(page(1, 2, true, whole(3)))).isEqualTo(Page.BROKEN);
        assertThat(catalog.take(page(1, 3, true, whole(3)))).isEqualTo(Page.BROKEN);
        assertThat(groups()).isEmpty();
        assertThat(catalog.take(page(2, 0, true, whole(5)))).isEqualTo(Page.COMPLETE);
        assertThat(groups()).containsExactly(5L);
    }

    @Test
    void behavesAsASortedMapUnderAnyHistory() {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TreeMap<ChunkId, ChunkRecord> oracle = new TreeMap<>();
            VolumeChunks chunks = new VolumeChunks();
            for (int i = 0; i < 3000; i++) {
                ChunkRecord record = any(random);
                oracle.put(record.chunk(), record);
            }
            oracle.values().forEach(chunks::put);
            for (int i = 0; i < 6000; i++) {
                ChunkRecord record = any(random);
                if (random.nextInt(3) == 0) {
                    assertThat(chunks.remove(record.chunk())).isEqualTo(oracle.remove(record.chunk()) != null);
                } else {
                    chunks.put(record);
                    oracle.put(record.chunk(), record);
                }
                ChunkId probe = any(random).chunk();
                if (i % 50 == 0) {
                    assertThat(chunks.find(probe).orElse(null))
                            .as("seed %s", seed)
                            .isEqualTo(oracle.get(probe));
                    assertThat(chunks.after(probe, 20))
                            .as("seed %s", seed)
                            .isEqualTo(oracle.tailMap(probe, false).values().stream()
                                    .limit(20)
                                    .toList());
                }
            }
            assertThat(chunks.count()).isEqualTo(oracle.size());
            assertThat(chunks.after(null, 100_000)).isEqualTo(List.copyOf(oracle.values()));
            assertThat(List.copyOf(chunks.notable()))
                    .isEqualTo(oracle.values().stream()
                            .filter(r -> r.state() != ChunkState.FINALISED)
                            .toList());
        }
    }

    @Test
    void largeNumbersAndManyRewritingsOfOneGroupAreKept() {
        VolumeChunks chunks = new VolumeChunks();
        TreeMap<ChunkId, ChunkRecord> oracle = new TreeMap<>();
        for (long group : List.of(Long.MAX_VALUE, 1L << 40, 7L)) {
            for (int generation = 0; generation < 400; generation++) {
                ChunkId chunk = new ChunkId(new GroupId(group), generation % 9, generation * 1000);
                long bytes = Long.MAX_VALUE >>> generation % 63;
                ChunkRecord record = new ChunkRecord(chunk, ChunkState.FINALISED, bytes, bytes, bytes / 3, Stamp.NONE);
                chunks.put(record);
                oracle.put(chunk, record);
            }
        }
        assertThat(chunks.after(null, 10_000)).isEqualTo(List.copyOf(oracle.values()));
        oracle.keySet().forEach(chunk -> assertThat(chunks.remove(chunk)).isTrue());
        assertThat(chunks.count()).isZero();
        assertThat(chunks.after(null, 10_000)).isEmpty();
        chunks.put(whole(5));
        assertThat(chunks.find(whole(5).chunk())).contains(whole(5));
    }

    private static ChunkRecord any(SplittableRandom random) {
        ChunkId chunk = new ChunkId(new GroupId(random.nextInt(1, 4000)), random.nextInt(3), random.nextInt(2));
        int kind = random.nextInt(10);
        long bytes = random.nextInt(100_000);
        return kind == 0
                ? new ChunkRecord(chunk, ChunkState.BEING_WRITTEN, bytes, bytes / 2, -1, Stamp.NONE)
                : kind == 1
                        ? new ChunkRecord(chunk, ChunkState.CORRUPT, bytes, bytes, 5, Stamp.NONE)
                        : new ChunkRecord(chunk, ChunkState.FINALISED, bytes, bytes, 70, Stamp.NONE);
    }
}

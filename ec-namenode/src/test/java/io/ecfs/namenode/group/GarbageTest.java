package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GarbageTest {
    private static final List<Integer> VOLUMES = List.of(1, 2, 255, 256, 257);

    private final GroupRows rows = new GroupRows();

    @AfterEach
    void close() {
        rows.close();
    }

    private static ChunkOnVolume chunk(int volume, long group, int index, int generation) {
        return new ChunkOnVolume(new VolumeId(volume), new ChunkId(new GroupId(group), index, generation));
    }

    @Test
    void garbageIsThatOfASortedMap() {
        Random random = new Random(3);
        TreeMap<ChunkOnVolume, Integer> naive = new TreeMap<>();
        for (int step = 0; step < 400; step++) {
            ChunkOnVolume chunk = chunk(
                    VOLUMES.get(random.nextInt(VOLUMES.size())),
                    1 + random.nextInt(3) * 255L,
                    random.nextInt(3) * 127,
                    random.nextInt(2) * 256);
            if (naive.containsKey(chunk) && random.nextBoolean()) {
                Garbage.forget(rows.transaction, chunk);
                naive.remove(chunk);
            } else {
                int stamp = random.nextInt(3) - 1;
                Garbage.add(rows.transaction, chunk, stamp);
                naive.put(chunk, stamp);
            }
            assertThat(Garbage.contains(rows.transaction, chunk)).isEqualTo(naive.containsKey(chunk));
        }
        assertThat(rows.garbage()).isEqualTo(naive.keySet());
        for (int volume : VOLUMES) {
            TreeMap<ChunkOnVolume, Integer> mine = new TreeMap<>(naive);
            mine.keySet().removeIf(chunk -> chunk.volume().value() != volume);
            assertThat(Garbage.stamped(rows.transaction, new VolumeId(volume), 1000))
                    .isEqualTo(mine);
            assertThat(paged(new VolumeId(volume), 4)).containsExactlyElementsOf(mine.keySet());
        }
    }

    private List<ChunkOnVolume> paged(VolumeId volume, int limit) {
        List<ChunkOnVolume> all = new ArrayList<>();
        List<ChunkOnVolume> page = Garbage.onVolume(rows.transaction, volume, Optional.empty(), limit);
        while (!page.isEmpty() && all.size() < 1000) {
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page);
            page = Garbage.onVolume(rows.transaction, volume, Optional.of(all.get(all.size() - 1)), limit);
        }
        return all;
    }

    @Test
    void aPageWithStampsHasTheFirstChunksOfItsVolume() {
        for (int index = 4; index >= 0; index--) {
            Garbage.add(rows.transaction, chunk(1, 7, index, 0), index == 1 ? Stamp.NONE : 40 + index);
        }
        assertThat(Garbage.stamped(rows.transaction, new VolumeId(1), 3))
                .containsExactly(
                        Map.entry(chunk(1, 7, 0, 0), 40),
                        Map.entry(chunk(1, 7, 1, 0), Stamp.NONE),
                        Map.entry(chunk(1, 7, 2, 0), 42));
    }
}

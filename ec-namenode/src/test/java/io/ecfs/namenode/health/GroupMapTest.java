package io.ecfs.namenode.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.GroupId;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GroupMapTest {
    @Test
    void isATreeMapWhateverIsDoneWithIt() {
        for (long seed = 0; seed < 30; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int groups = 1 + random.nextInt(4000);
            TreeMap<Long, Integer> naive = new TreeMap<>();
            GroupMap<Integer> map = new GroupMap<>();
            for (int step = 0; step < 12_000; step++) {
                long group = random.nextLong(1, groups + 1L);
                // Grows in the first half, shrinks in the second.
                if (random.nextInt(12_000) > step) {
                    map.put(new GroupId(group), step);
                    naive.put(group, step);
                } else {
                    assertThat(map.remove(new GroupId(group)).orElse(null))
                            .as("seed %s step %s", seed, step)
                            .isEqualTo(naive.remove(group));
                }
                assertThat(map.size()).isEqualTo(naive.size());
                if (step % 500 == 0) {
                    assertAlike(map, naive, random, seed);
                }
            }
        }
    }

    private static void assertAlike(
            GroupMap<Integer> map, NavigableMap<Long, Integer> naive, SplittableRandom random, long seed) {
        TreeMap<Long, Integer> all = new TreeMap<>();
        map.forEach((value, group) -> all.put(group, value));
        assertThat(all).as("seed %s", seed).isEqualTo(naive);
        assertThat(map.isEmpty()).isEqualTo(naive.isEmpty());
        long first = random.nextLong(1, 4100);
        int limit = random.nextInt(600);
        List<GroupId> expected = naive.tailMap(first, true).keySet().stream()
                .limit(limit)
                .map(GroupId::new)
                .toList();
        assertThat(map.from(new GroupId(first), limit)).as("seed %s", seed).isEqualTo(expected);
        assertThat(map.get(new GroupId(first)).orElse(null)).isEqualTo(naive.get(first));
    }

    @Test
    void groupsThatComeInOrderFillTheirLeaves() {
        GroupMap<Integer> map = new GroupMap<>();
        for (long group = 1; group <= 10_000; group++) {
            map.put(new GroupId(group), 1);
        }
        for (long group = 1; group <= 10_000; group += 2) {
            map.remove(new GroupId(group));
        }
        assertThat(map.from(new GroupId(1), 3)).containsExactly(new GroupId(2), new GroupId(4), new GroupId(6));
        assertThat(map.size()).isEqualTo(5000);
    }
}

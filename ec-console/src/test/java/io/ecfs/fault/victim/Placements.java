package io.ecfs.fault.victim;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Random placements: each chunk of a group on a datanode of its own. */
final class Placements {
    private Placements() {}

    static Placement random(Policy policy, int groups, int datanodes, int volumes, int racks, SplittableRandom random) {
        List<StoredVolume> all = new ArrayList<>();
        for (int datanode = 0; datanode < datanodes; datanode++) {
            for (int volume = 0; volume < volumes; volume++) {
                all.add(new StoredVolume("dn" + datanode, volume, "/rack" + datanode % racks));
            }
        }
        List<PlacedGroup> placed = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            List<Integer> left = new ArrayList<>();
            for (int datanode = 0; datanode < datanodes; datanode++) {
                left.add(datanode);
            }
            SortedMap<Integer, StoredVolume> chunks = new TreeMap<>();
            for (int index = 0; index < policy.chunks(); index++) {
                int datanode = left.remove(random.nextInt(left.size()));
                chunks.put(index, all.get(datanode * volumes + random.nextInt(volumes)));
            }
            placed.add(new PlacedGroup(
                    new GroupId(group + 1L), "/f" + group, policy, 1 + random.nextInt(1 << 20), chunks));
        }
        return new Placement(all, placed);
    }
}

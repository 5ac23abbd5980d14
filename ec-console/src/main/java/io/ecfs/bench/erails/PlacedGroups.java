package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.RingGroup;
import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Groups on the volumes of a ring. @param degrees chunks of each volume */
record PlacedGroups(List<RingGroup> groups, List<Integer> degrees) {
    static PlacedGroups of(Ring ring, CodeSpec code, int volumes, int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] degrees = new int[volumes];
        List<RingGroup> groups = new ArrayList<>();
        for (int g = 0; g < count; g++) {
            int shift = random.nextInt(ring.colours());
            List<Integer> chosen = new ArrayList<>();
            for (int index = 0; index < code.chunks(); index++) {
                int colour = (index + shift) % ring.colours();
                int each = volumes / ring.colours();
                int a = colour + ring.colours() * random.nextInt(each);
                int b = colour + ring.colours() * random.nextInt(each);
                int v = degrees[a] <= degrees[b] ? a : b;
                degrees[v]++;
                chosen.add(v);
            }
            groups.add(new RingGroup(chosen));
        }
        return new PlacedGroups(groups, IntStream.of(degrees).boxed().toList());
    }

    double spread() {
        double mean = degrees.stream().mapToInt(Integer::intValue).average().orElseThrow();
        return degrees.stream().mapToInt(Integer::intValue).max().orElseThrow() / mean - 1;
    }
}

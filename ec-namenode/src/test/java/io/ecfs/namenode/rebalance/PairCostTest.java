package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PairCostTest {
    private static final int SITES = 8;
    private static final double PER_BYTE = 0.5;

    private final Random random = new Random(11);
    private final TreeMap<DatanodeId, Double> access = new TreeMap<>();

    @Test
    void isTheLeastOverAllChoicesOfChunks() {
        for (int instance = 0; instance < 2_000; instance++) {
            for (int site = 0; site < SITES; site++) {
                access.put(datanode(site), (double) (1 + random.nextInt(20)));
            }
            Block one = block(1);
            Block other = block(2);
            assertThat(PairCost.of(one, other, access::get, PER_BYTE))
                    .as("%s %s %s", one, other, access)
                    .isCloseTo(byTrying(one, other), within(1e-9));
        }
    }

    @Test
    void whatCannotBeReadCostsWithoutEnd() {
        Block one = new Block(new GroupId(1), 2, 10, new TreeMap<>(Map.of(0, datanode(0))));
        Block other = new Block(new GroupId(2), 1, 10, new TreeMap<>(Map.of(0, datanode(0))));
        assertThat(PairCost.of(one, other, d -> 1, PER_BYTE)).isInfinite();
        assertThat(PairCost.of(other, other, d -> Double.POSITIVE_INFINITY, PER_BYTE))
                .isInfinite();
    }

    private Block block(long group) {
        int chunks = 1 + random.nextInt(5);
        List<Integer> sites = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
        Collections.shuffle(sites, random);
        TreeMap<Integer, DatanodeId> places = new TreeMap<>();
        for (int i = 0; i < chunks; i++) {
            places.put(i, datanode(sites.get(i)));
        }
        return new Block(new GroupId(group), 1 + random.nextInt(chunks), 100L * group, places);
    }

    private static DatanodeId datanode(int site) {
        return new DatanodeId("dn" + site);
    }

    private double byTrying(Block one, Block other) {
        double least = Double.POSITIVE_INFINITY;
        for (Set<DatanodeId> first : choices(one)) {
            for (Set<DatanodeId> second : choices(other)) {
                Set<DatanodeId> asked = new HashSet<>(first);
                asked.addAll(second);
                least = Math.min(least, asked.stream().mapToDouble(access::get).sum());
            }
        }
        return least + PER_BYTE * (one.least() * one.chunkBytes() + other.least() * other.chunkBytes());
    }

    private static List<Set<DatanodeId>> choices(Block block) {
        List<DatanodeId> places = List.copyOf(block.places().values());
        List<Set<DatanodeId>> choices = new ArrayList<>();
        for (int mask = 0; mask < 1 << places.size(); mask++) {
            if (Integer.bitCount(mask) == block.least()) {
                Set<DatanodeId> choice = new HashSet<>();
                for (int i = 0; i < places.size(); i++) {
                    if ((mask >> i & 1) == 1) {
                        choice.add(places.get(i));
                    }
                }
                choices.add(choice);
            }
        }
        return choices;
    }
}

package io.ecfs.bench.bed.recovery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Which datanodes die. */
final class DeadDatanodes {
    private final int perRack;
    private final List<PretendDatanode> all;

    /** @param all by number, those of a rack together */
    DeadDatanodes(int perRack, List<PretendDatanode> all) {
        this.perRack = perRack;
        this.all = all;
    }

    List<PretendDatanode> of(Victims victims) {
        List<List<PretendDatanode>> units = new ArrayList<>();
        int size = victims.where() == Victims.Where.WHOLE_RACKS ? perRack : 1;
        for (int from = 0; from < all.size(); from += size) {
            units.add(all.subList(from, from + size));
        }
        double mean = units.stream()
                .mapToLong(DeadDatanodes::bytes)
                .filter(bytes -> bytes > 0)
                .average()
                .orElse(0);
        List<List<PretendDatanode>> usual = units.stream()
                .sorted(Comparator.comparingDouble(unit -> Math.abs(bytes(unit) - mean)))
                .toList();
        List<PretendDatanode> chosen = new ArrayList<>();
        List<Integer> racks = new ArrayList<>();
        int units0 = 0;
        for (List<PretendDatanode> unit : usual) {
            int rack = all.indexOf(unit.get(0)) / perRack;
            boolean may = racks.isEmpty() || racks.contains(rack) == (victims.where() == Victims.Where.SAME_RACK);
            if (may && units0 < victims.count()) {
                units0++;
                racks.add(rack);
                chosen.addAll(unit);
            }
        }
        return chosen;
    }

    private static long bytes(List<PretendDatanode> unit) {
        return unit.stream().mapToLong(PretendDatanode::bytes).sum();
    }
}

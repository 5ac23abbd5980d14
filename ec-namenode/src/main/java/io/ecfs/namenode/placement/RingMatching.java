package io.ecfs.namenode.placement;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A matching of chunks, each of which has a colour, to datanodes with volumes of that colour: at most one chunk to a
 * datanode (Kuhn, 1955: augmenting paths). A chunk takes the rack that has fewest of the group, and in it the volume
 * with the largest key. Then, as long as a path of exchanges leads from a rack to one with at least two chunks fewer,
 * it is taken: no other matching of these chunks is spread more evenly. Pure.
 */
final class RingMatching {
    /** A volume that can take a chunk of its colour, the best of its datanode. */
    record Option(DatanodeId datanode, String rack, VolumeId volume, int colour, double key) {}

    private final Option[] chosen;
    private final Map<Integer, List<Option>> byColour = new HashMap<>();
    private final Map<DatanodeId, Integer> chunkOf = new HashMap<>();
    private final TreeMap<String, Integer> perRack = new TreeMap<>();
    private final Map<String, Set<DatanodeId>> racks = new TreeMap<>();
    private final int matched;

    /** @param colours by chunk index; those before the first that cannot be matched are */
    RingMatching(List<Integer> colours, List<Option> options) {
        chosen = new Option[colours.size()];
        for (Option option : options) {
            byColour.computeIfAbsent(option.colour(), c -> new ArrayList<>()).add(option);
            racks.computeIfAbsent(option.rack(), r -> new HashSet<>()).add(option.datanode());
        }
        byColour.values()
                .forEach(list -> list.sort(
                        Comparator.comparingDouble(Option::key).reversed().thenComparing(Option::datanode)));
        int index = 0;
        while (index < chosen.length && augment(colours, index, new HashSet<>())) {
            index++;
        }
        matched = index;
        while (evened(colours)) {
            // each exchange makes the racks more even
        }
    }

    /** The volumes by chunk index. */
    List<VolumeId> volumes() {
        return Arrays.stream(chosen).limit(matched).map(Option::volume).toList();
    }

    boolean betterThan(RingMatching other) {
        return matched != other.matched ? matched > other.matched : unevenness() < other.unevenness();
    }

    /** Returns whether all chunks are matched, and spread over the racks as evenly as any datanodes would allow. */
    boolean asEvenAsPossible() {
        if (matched < chosen.length) {
            return false;
        }
        Map<String, Integer> even = new TreeMap<>();
        for (int i = 0; i < matched; i++) {
            racks.keySet().stream()
                    .filter(rack -> even.getOrDefault(rack, 0) < racks.get(rack).size())
                    .min(Comparator.comparingInt(rack -> even.getOrDefault(rack, 0)))
                    .ifPresent(rack -> even.merge(rack, 1, Integer::sum));
        }
        return unevenness() <= even.values().stream().mapToInt(n -> n * n).sum();
    }

    private int unevenness() {
        return perRack.values().stream().mapToInt(n -> n * n).sum();
    }

    private int in(String rack) {
        return perRack.getOrDefault(rack, 0);
    }

    private List<Option> of(int colour) {
        return byColour.getOrDefault(colour, List.of());
    }

    private boolean augment(List<Integer> colours, int index, Set<DatanodeId> visited) {
        List<Option> options = new ArrayList<>(of(colours.get(index)));
        options.sort(Comparator.comparingInt(option -> in(option.rack())));
        for (Option option : options) {
            if (!chunkOf.containsKey(option.datanode())) {
                take(index, option);
                return true;
            }
        }
        for (Option option : options) {
            if (visited.add(option.datanode()) && augment(colours, chunkOf.get(option.datanode()), visited)) {
                take(index, option);
                return true;
            }
        }
        return false;
    }

    private void take(int index, Option option) {
        leave(index);
        chosen[index] = option;
        chunkOf.put(option.datanode(), index);
        perRack.merge(option.rack(), 1, Integer::sum);
    }

    private void leave(int index) {
        Option before = chosen[index];
        if (before != null) {
            chunkOf.remove(before.datanode(), index);
            perRack.merge(before.rack(), -1, Integer::sum);
            chosen[index] = null;
        }
    }

    /** Takes one path from a full rack to a free datanode of a rack with at least two chunks fewer, if there is one. */
    private boolean evened(List<Integer> colours) {
        List<String> full = new ArrayList<>(perRack.keySet());
        full.sort(Comparator.comparingInt(this::in).reversed());
        for (String rack : full) {
            Map<Integer, Integer> cameFrom = new HashMap<>();
            ArrayDeque<Integer> open = new ArrayDeque<>();
            for (int index = 0; index < matched; index++) {
                if (chosen[index].rack().equals(rack)) {
                    cameFrom.put(index, index);
                    open.add(index);
                }
            }
            while (!open.isEmpty()) {
                int index = open.remove();
                for (Option option : of(colours.get(index))) {
                    Integer holder = chunkOf.get(option.datanode());
                    if (holder == null && in(option.rack()) <= in(rack) - 2) {
                        shift(colours, cameFrom, index, option);
                        return true;
                    } else if (holder != null && cameFrom.putIfAbsent(holder, index) == null) {
                        open.add(holder);
                    }
                }
            }
        }
        return false;
    }

    /** The last chunk of a path goes to the free datanode, each before it to where the next one was. */
    private void shift(List<Integer> colours, Map<Integer, Integer> cameFrom, int last, Option free) {
        List<Integer> path = new ArrayList<>(List.of(last));
        while (!cameFrom.get(path.get(path.size() - 1)).equals(path.get(path.size() - 1))) {
            path.add(cameFrom.get(path.get(path.size() - 1)));
        }
        Option vacant = free;
        for (int index : path) {
            DatanodeId left = chosen[index].datanode();
            DatanodeId to = vacant.datanode();
            String rack = chosen[index].rack();
            Option own = of(colours.get(index)).stream()
                    .filter(option -> option.datanode().equals(to))
                    .findFirst()
                    .orElseThrow();
            take(index, own);
            vacant = new Option(left, rack, own.volume(), own.colour(), 0);
        }
    }
}

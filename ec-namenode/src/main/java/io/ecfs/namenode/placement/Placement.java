package io.ecfs.namenode.placement;

import io.ecfs.env.Randomness;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Orders the usable datanodes by a weighted draw and takes one volume of each. Every beginning of the order is spread
 * over the racks as evenly as the usable datanodes allow, so a caller who does not know yet how many chunks a group
 * will have takes the first n. Weight grows with free space and falls with waiting requests.
 *
 * <p>The draw without replacement is Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006): every
 * datanode gets the key u^(1/w), the largest keys win.
 *
 * @param minFreeBytes a volume with less free space takes no new chunk
 * @param allowFull whether volumes count that their datanodes call full, when they have so much
 */
public record Placement(long minFreeBytes, boolean allowFull) {

    /** For chunks of users' writes: no volume counts that its datanode calls full. */
    public Placement(long minFreeBytes) {
        this(minFreeBytes, false);
    }

    /** For chunks that may use the reserve of a volume: those count, too, that their datanodes call full. */
    public static Placement inReserve(long minFreeBytes) {
        return new Placement(minFreeBytes, true);
    }

    /** Reasons why a datanode gets no chunk. */
    public enum Unusable {
        LEAVING("decommissioned"),
        RESTING("in maintenance"),
        DEAD("dead"),
        SUSPECTED("without a recent heartbeat"),
        AVOIDED("could not be reached by the writer"),
        FULL("without enough free space"),
        NO_VOLUME("without a healthy volume for it");

        private final String words;

        Unusable(String words) {
            this.words = words;
        }
    }

    /**
     * @param volumes on distinct datanodes, first choices first
     * @param unusable the other datanodes, by reason
     */
    public record Choice(List<VolumeId> volumes, Map<Unusable, List<DatanodeId>> unusable) {
        public Choice {
            volumes = List.copyOf(volumes);
            unusable = new TreeMap<>(unusable);
        }

        /** For people: how many are usable and why the others are not. */
        public String explain() {
            return explain(Unusable.AVOIDED.words);
        }

        /** @param avoided why some had to be avoided */
        public String explain(String avoided) {
            String others = unusable.entrySet().stream()
                    .map(e -> e.getValue().size() + " " + (e.getKey() == Unusable.AVOIDED ? avoided : e.getKey().words)
                            + " ("
                            + e.getValue().stream()
                                    .limit(5)
                                    .map(DatanodeId::name)
                                    .collect(Collectors.joining(
                                            ", ", "", e.getValue().size() > 5 ? ", ..." : ""))
                            + ")")
                    .collect(Collectors.joining(", "));
            return volumes.size() + " datanodes can take a chunk" + (others.isEmpty() ? "" : "; not usable: " + others);
        }
    }

    private record Drawn(DatanodeId datanode, String rack, VolumeId volume, double key) {
        static final Comparator<Drawn> BEST_FIRST =
                Comparator.comparingDouble(Drawn::key).reversed().thenComparing(Drawn::datanode);
    }

    /**
     * @param candidates each datanode once
     * @param limit most volumes to answer with
     */
    public Choice choose(List<PlacementCandidate> candidates, Set<DatanodeId> avoid, int limit, Randomness random) {
        Map<Unusable, List<DatanodeId>> unusable = new TreeMap<>();
        List<Drawn> drawn = new ArrayList<>();
        for (PlacementCandidate candidate : candidates) {
            List<PlacementCandidate.Volume> room = room(candidate, avoid);
            if (room.isEmpty()) {
                unusable.computeIfAbsent(reason(candidate, avoid), r -> new ArrayList<>())
                        .add(candidate.datanode());
            } else {
                drawn.add(draw(candidate, room, random));
            }
        }
        return new Choice(spread(drawn, limit).stream().map(Drawn::volume).toList(), unusable);
    }

    /** The volumes of a datanode that can take a chunk; none when it is unusable. */
    List<PlacementCandidate.Volume> room(PlacementCandidate candidate, Set<DatanodeId> avoid) {
        boolean usable = candidate.adminState() == AdminState.State.IN_SERVICE
                && candidate.state() == DatanodeState.HEALTHY
                && !avoid.contains(candidate.datanode());
        return usable ? candidate.volumes().stream().filter(this::hasRoom).toList() : List.of();
    }

    private boolean hasRoom(PlacementCandidate.Volume volume) {
        boolean takesChunks =
                volume.state() == VolumeState.HEALTHY || (allowFull && volume.state() == VolumeState.FULL);
        return takesChunks && volume.freeBytes() >= minFreeBytes;
    }

    static Unusable reason(PlacementCandidate candidate, Set<DatanodeId> avoid) {
        if (candidate.adminState().leaving()) {
            return Unusable.LEAVING;
        }
        if (candidate.adminState() == AdminState.State.IN_MAINTENANCE) {
            return Unusable.RESTING;
        }
        if (candidate.state() == DatanodeState.DEAD) {
            return Unusable.DEAD;
        }
        if (candidate.state() == DatanodeState.SUSPECTED) {
            return Unusable.SUSPECTED;
        }
        if (avoid.contains(candidate.datanode())) {
            return Unusable.AVOIDED;
        }
        return candidate.volumes().stream()
                        .anyMatch(v -> v.state() == VolumeState.HEALTHY || v.state() == VolumeState.FULL)
                ? Unusable.FULL
                : Unusable.NO_VOLUME;
    }

    private static Drawn draw(PlacementCandidate candidate, List<PlacementCandidate.Volume> room, Randomness random) {
        double weight = room.stream().mapToDouble(Placement::weight).sum();
        double point = fraction(random) * weight;
        VolumeId chosen = room.get(room.size() - 1).volume();
        for (PlacementCandidate.Volume volume : room) {
            point -= weight(volume);
            if (point < 0) {
                chosen = volume.volume();
                break;
            }
        }
        double key = key(weight, random);
        return new Drawn(candidate.datanode(), candidate.rack(), chosen, key);
    }

    /** Place in the weighted draw, the largest first: log(u)/w orders as u^(1/w) does and does not underflow. */
    static double key(double weight, Randomness random) {
        return Math.log(1 - fraction(random)) / weight;
    }

    /** Uniform in [0, 1), with the 53 bits that a double holds. */
    private static double fraction(Randomness random) {
        return (random.nextLong() >>> 11) * 0x1.0p-53;
    }

    static double weight(PlacementCandidate.Volume volume) {
        return (1.0 + volume.freeBytes()) / (1.0 + volume.queued());
    }

    /** Takes from the rack that has given least so far; among those from the one with the best datanode left. */
    private static List<Drawn> spread(List<Drawn> drawn, int limit) {
        Map<String, List<Drawn>> racks = drawn.stream()
                .sorted(Drawn.BEST_FIRST)
                .collect(Collectors.groupingBy(Drawn::rack, TreeMap::new, Collectors.toList()));
        Map<String, Integer> taken = new TreeMap<>();
        List<Drawn> order = new ArrayList<>();
        while (order.size() < Math.min(limit, drawn.size())) {
            String rack = racks.keySet().stream()
                    .filter(r -> taken.getOrDefault(r, 0) < racks.get(r).size())
                    .min(Comparator.<String>comparingInt(r -> taken.getOrDefault(r, 0))
                            .thenComparing(r -> racks.get(r).get(taken.getOrDefault(r, 0)), Drawn.BEST_FIRST))
                    .orElseThrow();
            order.add(racks.get(rack).get(taken.merge(rack, 1, Integer::sum) - 1));
        }
        return order;
    }
}

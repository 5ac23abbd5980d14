package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.RingGroup;
import io.ecfs.code.CodeSpec;
import io.ecfs.env.Randomness;
import io.ecfs.layout.Ring;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.placement.PlacementCandidate;
import io.ecfs.namenode.placement.RingPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Groups as the namenode's placement puts them on the volumes of a ring, one on each datanode. Volumes are half full in
 * the end; free space and waiting chunks are reported after as many groups as there are volumes.
 *
 * @param degrees chunks of each volume
 */
record PlacedGroups(List<RingGroup> groups, List<Integer> degrees) {
    private static final long CHUNK_BYTES = 128L << 20;

    PlacedGroups {
        groups = List.copyOf(groups);
        degrees = List.copyOf(degrees);
    }

    static PlacedGroups of(Ring ring, CodeSpec code, int volumes, int count, long seed) {
        Randomness random = Randomness.over(new SplittableRandom(seed));
        Map<VolumeId, Integer> colourOf = new TreeMap<>();
        for (int volume = 0; volume < volumes; volume++) {
            colourOf.put(id(volume), volume % ring.colours());
        }
        RingPlacement placement = new RingPlacement(new Placement(CHUNK_BYTES), ring, code, colourOf);
        long capacity = 2 * CHUNK_BYTES * (count * (long) code.chunks() / volumes + 1);
        int[] degrees = new int[volumes];
        int[] reported = new int[volumes];
        List<PlacementCandidate> candidates = new ArrayList<>();
        IntStream.range(0, volumes).forEach(volume -> candidates.add(candidate(volume, capacity, 0)));
        List<RingGroup> groups = new ArrayList<>();
        for (int group = 0; group < count; group++) {
            if (group % volumes == 0) {
                System.arraycopy(degrees, 0, reported, 0, volumes);
                IntStream.range(0, volumes)
                        .forEach(volume -> candidates.set(
                                volume, candidate(volume, capacity - reported[volume] * CHUNK_BYTES, 0)));
            }
            List<Integer> chosen = placement.choose(candidates, Set.of(), random).volumes().stream()
                    .map(volume -> volume.value() - 1)
                    .toList();
            for (int volume : chosen) {
                degrees[volume]++;
                candidates.set(
                        volume,
                        candidate(
                                volume, capacity - reported[volume] * CHUNK_BYTES, degrees[volume] - reported[volume]));
            }
            groups.add(new RingGroup(chosen));
        }
        return new PlacedGroups(groups, IntStream.of(degrees).boxed().toList());
    }

    private static VolumeId id(int volume) {
        return new VolumeId(volume + 1);
    }

    private static PlacementCandidate candidate(int volume, long freeBytes, int queued) {
        return new PlacementCandidate(
                new DatanodeId(String.format("dn%03d", volume)),
                "/rack",
                DatanodeState.HEALTHY,
                AdminState.State.IN_SERVICE,
                List.of(new PlacementCandidate.Volume(id(volume), VolumeState.HEALTHY, freeBytes, queued)));
    }

    /** The most chunks of a volume by their mean, less 1. */
    double spread() {
        double mean = degrees.stream().mapToInt(Integer::intValue).average().orElseThrow();
        return degrees.stream().mapToInt(Integer::intValue).max().orElseThrow() / mean - 1;
    }
}

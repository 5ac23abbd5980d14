package io.ecfs.fault.victim;

import io.ecfs.code.ChunkSet;
import io.ecfs.fault.profile.VictimSource;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where the chunks of the load lie.
 *
 * @param volumes all of the cluster, those without chunks too
 */
public record Placement(List<StoredVolume> volumes, List<PlacedGroup> groups) {
    public Placement {
        volumes = volumes.stream().sorted().toList();
        groups = List.copyOf(groups);
    }

    /** Groups that victims come from: the named one, those of the named file, otherwise all. */
    public List<PlacedGroup> groups(VictimSource of) {
        return switch (of.kind()) {
            case GROUP ->
                groups.stream().skip(Long.parseLong(of.argument())).limit(1).toList();
            case FILE ->
                groups.stream()
                        .filter(group -> group.file().equals(of.argument()))
                        .toList();
            case FULLEST, RANDOM, NAMES -> groups;
        };
    }

    /** Bytes of chunks on these volumes, about: each chunk as long as the longest of its group. */
    public long bytesOn(Collection<StoredVolume> on) {
        return groups.stream()
                .mapToLong(group ->
                        Math.multiplyExact(group.chunkBytes(), group.on(on).size()))
                .sum();
    }

    /** Number of groups that lose 0, 1, 2 … chunks with these volumes. */
    public SortedMap<Integer, Long> lossesPerGroup(Collection<StoredVolume> lost) {
        SortedMap<Integer, Long> histogram = new TreeMap<>();
        groups.forEach(group -> histogram.merge(group.on(lost).size(), 1L, Long::sum));
        return histogram;
    }

    /** Losses that any group surely survives beyond these volumes; negative when one is lost. */
    public int leastSpare(Collection<StoredVolume> lost) {
        return groups.stream()
                .mapToInt(group -> {
                    ChunkSet left = group.all().minus(group.on(lost));
                    int spare = left.size()
                            - (group.policy().chunks() - group.policy().code().survivedLosses());
                    return group.policy().code().decodable(left) ? Math.max(0, spare) : -1;
                })
                .min()
                .orElse(0);
    }
}

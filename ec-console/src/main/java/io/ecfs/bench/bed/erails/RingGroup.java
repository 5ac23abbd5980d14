package io.ecfs.bench.bed.erails;

import java.util.List;

/**
 * A group of the bed.
 *
 * @param volumes of its chunks in index order, as numbers of the bed
 */
public record RingGroup(List<Integer> volumes) {
    public RingGroup {
        volumes = List.copyOf(volumes);
    }
}

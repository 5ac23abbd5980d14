package io.ecfs.fault.victim;

import java.util.List;

/**
 * A chosen set of victims.
 *
 * @param names of volumes ({@code dn3/0}), datanodes, or racks
 * @param volumes that are hurt
 */
public record Victims(List<String> names, List<StoredVolume> volumes) {
    public Victims {
        names = List.copyOf(names);
        volumes = volumes.stream().sorted().toList();
    }

    /** Names of their datanodes, each once. */
    public List<String> datanodes() {
        return volumes.stream().map(StoredVolume::datanode).distinct().toList();
    }
}

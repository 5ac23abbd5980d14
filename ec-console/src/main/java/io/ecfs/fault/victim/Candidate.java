package io.ecfs.fault.victim;

import java.util.List;
import java.util.Objects;

/**
 * What can be one victim: a volume, a datanode or a rack.
 *
 * @param rack that it lies in; of a rack itself
 * @param volumes that fail with it
 */
record Candidate(String name, String rack, List<StoredVolume> volumes) {
    Candidate {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(rack, "rack");
        volumes = List.copyOf(volumes);
    }
}

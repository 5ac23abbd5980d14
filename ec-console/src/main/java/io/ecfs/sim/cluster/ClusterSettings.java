package io.ecfs.sim.cluster;

import io.ecfs.namenode.settings.NamenodeSettings;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What the machines of a world are set to.
 *
 * @param hosts one for each datanode
 */
public record ClusterSettings(NamenodeSettings namenodes, List<HostSettings> hosts) {
    public ClusterSettings {
        Objects.requireNonNull(namenodes, "namenodes");
        hosts = List.copyOf(hosts);
    }

    /** As {@link SimTuning} says. */
    static ClusterSettings of(SimSettings settings) {
        NamenodeSettings usual = NamenodeSettings.defaults(settings.policies().get(0), "user");
        return new ClusterSettings(
                SimTuning.quick(usual, settings),
                IntStream.range(0, settings.datanodes())
                        .mapToObj(number ->
                                HostSettings.usual(number, settings.ring().isPresent() ? 2 : 1 + number % 2))
                        .toList());
    }
}

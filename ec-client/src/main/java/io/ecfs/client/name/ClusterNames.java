package io.ecfs.client.name;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Resolves the name of a cluster to its namenodes. Sources are searched in order, and the first that has the name
 * decides: the caller's own (Hadoop's configuration), {@code ~/.ecfs/clusters.yaml}, {@code /etc/ecfs/clusters.yaml},
 * DNS. Local sources come first, so that a configured name needs no network.
 */
public final class ClusterNames {
    private final List<NameSource> sources;

    /** @param sources in the order of the search */
    public ClusterNames(List<NameSource> sources) {
        this.sources = List.copyOf(sources);
    }

    /** The files of this user and this machine, then its DNS. */
    public static ClusterNames ofThisProcess() {
        List<NameSource> sources = new ArrayList<>(ClustersFile.ofThisProcess());
        sources.add(SrvNames.ofThisMachine());
        return new ClusterNames(sources);
    }

    /** The same with one source in front of all others. */
    public ClusterNames after(NameSource first) {
        List<NameSource> all = new ArrayList<>(List.of(first));
        all.addAll(sources);
        return new ClusterNames(all);
    }

    /**
     * Namenodes of a cluster, at least one.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line: the names that are known and the places that were
     *     searched, or the place that cannot be used
     */
    public List<Address> resolve(ClusterName name) throws EcfsException {
        Search search = new Search();
        for (NameSource source : sources) {
            Optional<List<Address>> found = source.find(name, search);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new EcfsException(ErrorCode.INVALID_ARGUMENT, search.failure(name));
    }
}

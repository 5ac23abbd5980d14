package io.ecfs.client.name;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import java.util.List;
import java.util.Optional;

/** A place that lists the namenodes of clusters by name. */
public interface NameSource {
    /**
     * Namenodes of a cluster, at least one.
     *
     * @param search gets the place and the names it has, when this one is not among them
     * @throws EcfsException {@code INVALID_ARGUMENT} when what the place has cannot be used
     */
    Optional<List<Address>> find(ClusterName name, Search search) throws EcfsException;
}

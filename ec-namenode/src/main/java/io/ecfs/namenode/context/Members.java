package io.ecfs.namenode.context;

import io.ecfs.message.Address;
import java.util.Map;
import java.util.TreeMap;

/**
 * The namenodes of the cluster, as one of them has them configured.
 * @param id of this namenode
 * @param addresses where clients and datanodes reach each namenode of the cluster, by id
 * @param peers the port to the others
 */
public record Members(String id, Map<String, Address> addresses, Peers peers) {
    /** One that cannot ask the others. */
    public Members(String id, Map<String, Address> addresses) {
        this(id, addresses, Peers.NONE);
    }

    public Members {
        addresses = new TreeMap<>(addresses);
        if (!addresses.containsKey(id)) {
            throw new IllegalArgumentException("namenode " + id + " is not among " + addresses.keySet());
        }
    }
}

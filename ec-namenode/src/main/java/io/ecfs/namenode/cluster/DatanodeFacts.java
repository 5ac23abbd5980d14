package io.ecfs.namenode.cluster;

import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A registered datanode.
 *
 * @param uuid of its directory
 * @param volumes all that it ever registered: uuid to number, in uuid order
 */
public record DatanodeFacts(
        DatanodeId datanode, String uuid, Address address, String rack, Map<String, VolumeId> volumes) {
    public DatanodeFacts {
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(rack, "rack");
        volumes = Collections.unmodifiableMap(new TreeMap<>(volumes));
    }
}

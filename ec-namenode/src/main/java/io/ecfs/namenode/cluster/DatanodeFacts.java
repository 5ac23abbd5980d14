package io.ecfs.namenode.cluster;

import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
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
 * @param adminState wanted by an operator
 */
public record DatanodeFacts(
        DatanodeId datanode,
        String uuid,
        Address address,
        String rack,
        Map<String, VolumeId> volumes,
        AdminState adminState) {
    public DatanodeFacts {
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(rack, "rack");
        Objects.requireNonNull(adminState, "adminState");
        volumes = Collections.unmodifiableMap(new TreeMap<>(volumes));
    }

    /** Returns whether it may receive chunks while it is alive. */
    public boolean inService() {
        return adminState.state() == AdminState.State.IN_SERVICE;
    }

    /** Returns whether its chunks are to be moved to other datanodes. */
    public boolean leaving() {
        return adminState.state().leaving();
    }

    public boolean inMaintenance() {
        return adminState.state() == AdminState.State.IN_MAINTENANCE;
    }
}

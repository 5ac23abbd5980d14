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
 * @param duty what an operator wants of it
 */
public record DatanodeFacts(
        DatanodeId datanode,
        String uuid,
        Address address,
        String rack,
        Map<String, VolumeId> volumes,
        AdminState duty) {
    public DatanodeFacts {
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(rack, "rack");
        Objects.requireNonNull(duty, "duty");
        volumes = Collections.unmodifiableMap(new TreeMap<>(volumes));
    }

    /** Whether it may be given chunks, were it alive. */
    public boolean inService() {
        return duty.state() == AdminState.State.IN_SERVICE;
    }

    /** Whether its chunks are to be moved to others. */
    public boolean leaving() {
        return duty.state().leaving();
    }

    public boolean inMaintenance() {
        return duty.state() == AdminState.State.IN_MAINTENANCE;
    }
}

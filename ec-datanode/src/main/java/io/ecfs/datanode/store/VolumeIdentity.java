package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.Objects;

/**
 * Whose volume this is, as its {@code VERSION} file says.
 *
 * @param clusterId empty until the datanode first registered
 * @param datanode the operator's name for the datanode
 * @param datanodeUuid of the datanode's directory
 * @param volumeUuid this volume's own; empty in the datanode's home directory
 */
public record VolumeIdentity(String clusterId, String datanode, String datanodeUuid, String volumeUuid) {
    public VolumeIdentity {
        Objects.requireNonNull(clusterId, "clusterId");
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(datanodeUuid, "datanodeUuid");
        Objects.requireNonNull(volumeUuid, "volumeUuid");
    }

    VolumeIdentity withCluster(String newClusterId) {
        return new VolumeIdentity(newClusterId, datanode, datanodeUuid, volumeUuid);
    }

    /**
     * @throws EcfsException {@code WRONG_CLUSTER} unless {@code found} belongs to this datanode, and to its cluster or
     *     to none yet
     */
    void requireOwner(VolumeIdentity found, String where) throws EcfsException {
        if (!found.datanode.equals(datanode) || !found.datanodeUuid.equals(datanodeUuid)) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    where + " belongs to datanode " + found.datanode + " (" + found.datanodeUuid + "), this is "
                            + datanode + " (" + datanodeUuid
                            + "): nothing was changed; give the volume back to its datanode or an empty directory to"
                            + " this one");
        }
        requireCluster(found, where);
    }

    void requireCluster(VolumeIdentity found, String where) throws EcfsException {
        if (!found.clusterId.isEmpty() && !clusterId.isEmpty() && !found.clusterId.equals(clusterId)) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    where + " belongs to cluster " + found.clusterId + ", not to " + clusterId
                            + ": nothing was changed; point the datanode at its own cluster or give it an empty"
                            + " directory");
        }
    }
}

package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The datanode's own directory: it binds the operator's name of the datanode to a uuid and to a cluster, remembers
 * which volumes belong to it, counts the processes that served it, and keeps a second process out.
 */
public final class DatanodeHome implements AutoCloseable {
    private static final String LIVES = "LIVES";
    private static final String STARTED = "started";

    private final VolumeIo io;
    private final KnownVolumes volumes;
    private final long life;
    private volatile VolumeIdentity identity;

    private DatanodeHome(VolumeIo io, VolumeIdentity identity) throws IOException {
        this.io = io;
        this.identity = identity;
        this.volumes = KnownVolumes.read(io, identity.clusterId().isEmpty());
        this.life = beginLife(io);
    }

    private static long beginLife(VolumeIo io) throws IOException {
        long life = 1
                + TextFile.read(io, LIVES)
                        .map(lives -> Long.parseLong(lives.getOrDefault(STARTED, "0")))
                        .orElse(0L);
        TextFile.write(io, LIVES, Map.of(STARTED, String.valueOf(life)));
        return life;
    }

    /**
     * Opens the directory, and makes its {@code VERSION} file the first time. Closes {@code io} when it fails.
     *
     * @param uuids where a new uuid comes from
     * @throws EcfsException {@code WRONG_CLUSTER} when it is another datanode's, {@code INCOMPATIBLE_VERSION},
     *     {@code MALFORMED}
     */
    public static DatanodeHome open(VolumeIo io, DatanodeId datanode, Supplier<UUID> uuids) throws IOException {
        try {
            io.lock();
            Optional<VolumeIdentity> found = VersionFile.read(io);
            if (found.isEmpty()) {
                VolumeIdentity fresh =
                        new VolumeIdentity("", datanode.name(), uuids.get().toString(), "");
                VersionFile.write(io, fresh);
                return new DatanodeHome(io, fresh);
            }
            if (!found.get().datanode().equals(datanode.name())) {
                throw new EcfsException(
                        ErrorCode.WRONG_CLUSTER,
                        io.describe() + " is the home of datanode "
                                + found.get().datanode() + ", not of " + datanode
                                + ": nothing was changed; correct the id or the directory in the configuration");
            }
            VersionFile.raise(io, found.get());
            return new DatanodeHome(io, found.get());
        } catch (IOException | RuntimeException e) {
            io.close();
            throw e;
        }
    }

    public VolumeIdentity identity() {
        return identity;
    }

    /** Number of processes that have opened this home, this one included; grows independently of clocks. */
    public long life() {
        return life;
    }

    /** Returns whether an empty directory at this path can only be a new volume. */
    public boolean isNew(String path) {
        return volumes.newAt(path);
    }

    /** The uuid of the volume that belongs at this path; empty when none is known. */
    public Optional<String> volumeAt(String path) {
        return volumes.at(path);
    }

    /** Uuids of the volumes that belong to the datanode, whether they were found or not. */
    public Set<String> volumeUuids() {
        return volumes.uuids();
    }

    /** A volume was opened at this path; remembered after {@link #rememberVolumes}. */
    public void opened(String path, String volumeUuid) {
        volumes.opened(path, volumeUuid);
    }

    /** No volume was found at this path; so too. */
    public void missed(String path) {
        volumes.missed(path);
    }

    /** Puts on disk what was opened and missed; before the volumes are served. */
    public void rememberVolumes() throws IOException {
        volumes.write();
    }

    /**
     * Joins the cluster for good; no-op when it belongs to it.
     *
     * @throws EcfsException {@code WRONG_CLUSTER} when it belongs to another
     */
    public synchronized void bindCluster(String clusterId) throws IOException {
        Objects.requireNonNull(clusterId, "clusterId");
        VolumeIdentity joined = identity.withCluster(clusterId);
        joined.requireCluster(identity, io.describe());
        if (!joined.equals(identity)) {
            VersionFile.write(io, joined);
            identity = joined;
        }
    }

    @Override
    public void close() {
        io.close();
    }
}

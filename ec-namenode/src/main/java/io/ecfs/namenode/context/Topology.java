package io.ecfs.namenode.context;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.state.MetadataView;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Cache of the registered datanodes and the owners of volumes. Volumes never change owners and are never removed, so an
 * old copy only lacks new ones: a miss refreshes it. Owner thread: the namenode's event thread.
 */
public final class Topology {
    private final Supplier<MetadataView> facts;
    private final TreeMap<DatanodeId, DatanodeFacts> datanodes = new TreeMap<>();
    private final TreeMap<VolumeId, DatanodeId> owners = new TreeMap<>();

    public Topology(Supplier<MetadataView> facts) {
        this.facts = facts;
    }

    public void refresh() {
        try (MetadataView view = facts.get()) {
            for (DatanodeFacts datanode : view.datanodes()) {
                datanodes.put(datanode.datanode(), datanode);
                datanode.volumes().values().forEach(volume -> owners.put(volume, datanode.datanode()));
            }
        }
    }

    /** In the order of their names. */
    public Collection<DatanodeFacts> datanodes() {
        return Collections.unmodifiableCollection(datanodes.values());
    }

    public Collection<VolumeId> volumes() {
        return Collections.unmodifiableCollection(owners.keySet());
    }

    public Optional<DatanodeFacts> datanode(DatanodeId datanode) {
        if (!datanodes.containsKey(datanode)) {
            refresh();
        }
        return Optional.ofNullable(datanodes.get(datanode));
    }

    public Optional<DatanodeFacts> owner(VolumeId volume) {
        if (!owners.containsKey(volume)) {
            refresh();
        }
        return Optional.ofNullable(owners.get(volume)).map(datanodes::get);
    }

    /** Empty when no datanode has the volume. */
    public String rack(VolumeId volume) {
        return owner(volume).map(DatanodeFacts::rack).orElse("");
    }

    /** The location of a chunk; empty when no datanode has its volume. */
    public Optional<ChunkLocation> location(ChunkOnVolume stored, ChunkLocation.State state) {
        return owner(stored.volume())
                .map(owner -> new ChunkLocation(
                        stored.chunk(), stored.volume(), owner.datanode(), owner.address(), owner.rack(), state));
    }

    /** True when the facts have the volume under this datanode. */
    public boolean owns(DatanodeId datanode, VolumeId volume) {
        return owner(volume).filter(facts -> facts.datanode().equals(datanode)).isPresent();
    }
}

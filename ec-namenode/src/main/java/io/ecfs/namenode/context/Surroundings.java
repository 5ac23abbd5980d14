package io.ecfs.namenode.context;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.placement.PlacementCandidate;
import io.ecfs.namenode.report.ChunkCatalog;
import io.ecfs.namenode.report.DatanodeTable;
import io.ecfs.namenode.report.RebuildNotes;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.settings.RepairThrottles;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.stats.SiteLoads;
import io.ecfs.namenode.stats.Statistics;
import io.ecfs.namenode.user.RequestRights;
import io.ecfs.tail.RecoverableLength;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What every part of the namenode looks at: time, the facts of the log, the reports of the datanodes; and the questions
 * that need both. Owner thread: the namenode's event thread.
 */
public record Surroundings(
        Environment environment,
        Scheduler scheduler,
        NamenodeSettings settings,
        Supplier<MetadataView> facts,
        Topology topology,
        DatanodeTable table,
        ChunkCatalog catalog,
        RebuildNotes rebuilds,
        Statistics statistics) {

    private static final int SCARCE_PART = 10;

    public long nowMillis() {
        return environment.clock().nanos() / 1_000_000;
    }

    /** A monotonic moment for people and for the history. */
    public long epochOf(long monotonicMillis) {
        return epochMillis() - (nowMillis() - monotonicMillis);
    }

    /** A moment for people as a monotonic one. */
    public long monotonicOf(long epochMillis) {
        return nowMillis() - (epochMillis() - epochMillis);
    }

    public long epochMillis() {
        return environment.clock().epochMillis();
    }

    public boolean passed(Duration time, long sinceMillis) {
        return nowMillis() - sinceMillis >= time.toMillis();
    }

    public DatanodeState state(DatanodeId datanode) {
        return table.state(datanode, nowMillis());
    }

    public RepairThrottles throttles(MetadataView view) {
        return RepairThrottles.of(view, settings.recovery());
    }

    /** All datanodes as placement sees them, usable or not. */
    public List<PlacementCandidate> candidates() {
        return topology.datanodes().stream().map(this::candidate).toList();
    }

    private PlacementCandidate candidate(DatanodeFacts datanode) {
        List<PlacementCandidate.Volume> volumes = datanode.volumes().values().stream()
                .flatMap(volume -> table.load(volume).stream())
                .map(load -> new PlacementCandidate.Volume(
                        load.volume(),
                        load.state(),
                        load.freeBytes(),
                        Math.max(0, load.queued()) + table.placedSinceBeat(load.volume())))
                .toList();
        return new PlacementCandidate(
                datanode.datanode(),
                datanode.rack(),
                state(datanode.datanode()),
                datanode.adminState().state(),
                volumes);
    }

    public long healthyDatanodes() {
        return datanodes(DatanodeState.HEALTHY);
    }

    public long datanodes(DatanodeState in) {
        return topology.datanodes().stream()
                .filter(d -> state(d.datanode()) == in)
                .count();
    }

    public long datanodes(AdminState.State in) {
        return topology.datanodes().stream().filter(d -> d.adminState().state() == in).count();
    }

    /** The loads of the datanodes that are alive. */
    public SiteLoads siteLoads() {
        List<DatanodeId> alive = topology.datanodes().stream()
                .map(DatanodeFacts::datanode)
                .filter(datanode -> state(datanode) == DatanodeState.HEALTHY)
                .toList();
        return statistics.siteLoads(alive, nowMillis());
    }

    public boolean healthyOwner(VolumeId volume) {
        return healthyOwner(volume, nowMillis());
    }

    private boolean healthyOwner(VolumeId volume, long atMillis) {
        return topology.owner(volume)
                .filter(d -> table.state(d.datanode(), atMillis) == DatanodeState.HEALTHY)
                .isPresent();
    }

    /** True when what the volume holds is no longer awaited: it or its datanode is away for too long, or it is out. */
    public boolean neverToAnswer(VolumeId volume) {
        return topology.owner(volume)
                .filter(owner -> state(owner.datanode()) != DatanodeState.DEAD)
                .filter(owner -> works(volume) || away(volume) || !table.toldVolumes(owner.datanode()))
                .isEmpty();
    }

    /**
     * True while a volume that its datanode does not speak of may still come back: its drive may only not be mounted.
     */
    public boolean away(VolumeId volume) {
        return table.away(volume, nowMillis());
    }

    /**
     * True when a whole chunk of a sealed group lies on a volume that failed, whose datanode is alive: it is rebuilt
     * elsewhere and not counted on, but read where nothing else helps.
     */
    public boolean lastResort(GroupFacts group, ChunkOnVolume stored) {
        return healthyOwner(stored.volume())
                && table.load(stored.volume())
                        .filter(load -> load.state() == VolumeState.FAILED)
                        .isPresent()
                && catalog.find(stored.volume(), stored.chunk())
                        .filter(record -> whole(group, record))
                        .isPresent();
    }

    /** The indexes of the group that may be tried to compute another one from, those of failed volumes included. */
    public ChunkSet worthReading(GroupFacts group) {
        return ChunkSet.of(group.stored().stream()
                .filter(stored -> live(group, stored) || lastResort(group, stored))
                .map(stored -> stored.chunk().index())
                .toList());
    }

    /** True when the volume's datanode is alive, the volume works and has reported what it holds. */
    public boolean serving(VolumeId volume) {
        return serving(volume, nowMillis());
    }

    /** The same by what is known now, with the datanodes' silence as it was at this moment. */
    public boolean serving(VolumeId volume, long atMillis) {
        return healthyOwner(volume, atMillis) && catalog.reported(volume) && works(volume);
    }

    /**
     * True when waiting tells nothing more of what the volume holds: it has reported, or its datanode says that it is
     * out or gone.
     */
    public boolean settled(VolumeId volume) {
        return topology.owner(volume)
                .filter(owner -> state(owner.datanode()) == DatanodeState.HEALTHY
                        && table.toldVolumes(owner.datanode())
                        && (catalog.reported(volume) || !works(volume)))
                .isPresent();
    }

    /** True when the volume's datanode is in maintenance: it may stop at any moment. */
    public boolean resting(VolumeId volume) {
        return topology.owner(volume).filter(DatanodeFacts::inMaintenance).isPresent();
    }

    /** True when chunks may be placed on the volume, as far as operators are concerned. */
    public boolean inService(VolumeId volume) {
        return topology.owner(volume).filter(DatanodeFacts::inService).isPresent();
    }

    /** How many volumes of datanodes that are alive last reported this state. */
    public long volumes(VolumeState state) {
        return topology.volumes().stream()
                .filter(volume -> healthyOwner(volume)
                        && table.load(volume)
                                .filter(load -> load.state() == state)
                                .isPresent())
                .count();
    }

    /** True when its datanode says that it serves reads and takes no change: what is on it is to lie elsewhere. */
    public boolean readOnly(VolumeId volume) {
        return table.load(volume)
                .filter(load -> load.state() == VolumeState.READ_ONLY)
                .isPresent();
    }

    /**
     * True when a volume is full, or less than a tenth of all is free: space that can be given back is given back at
     * once.
     */
    public boolean roomIsScarce() {
        long capacity = 0;
        long free = 0;
        for (VolumeId volume : topology.volumes()) {
            Optional<VolumeStatus> load = healthyOwner(volume) ? table.load(volume) : Optional.empty();
            if (load.isPresent()) {
                if (load.get().state() == VolumeState.FULL) {
                    return true;
                }
                capacity += load.get().capacityBytes();
                free += load.get().freeBytes();
            }
        }
        return free < capacity / SCARCE_PART;
    }

    private boolean works(VolumeId volume) {
        return table.load(volume)
                .filter(load -> load.state() != VolumeState.FAILED)
                .isPresent();
    }

    /** True when a reader can have every byte of this chunk of a sealed group now. */
    public boolean live(GroupFacts group, ChunkOnVolume stored) {
        return serving(stored.volume()) && reportedWhole(group, stored);
    }

    /** True when its volume was last reported to have this chunk of a sealed group with all its bytes. */
    public boolean reportedWhole(GroupFacts group, ChunkOnVolume stored) {
        return catalog.find(stored.volume(), stored.chunk())
                .filter(record -> whole(group, record))
                .isPresent();
    }

    /** Returns whether the chunk of an index is where the facts place it, and can be read. */
    public boolean live(GroupFacts group, int index) {
        return group.stored(index).filter(stored -> live(group, stored)).isPresent();
    }

    /** The indexes of the group of which a reader can have every byte now. */
    public ChunkSet live(GroupFacts group) {
        return ChunkSet.of(group.stored().stream()
                .filter(stored -> live(group, stored))
                .map(stored -> stored.chunk().index())
                .toList());
    }

    /** All of them but one. */
    public ChunkSet liveOthers(GroupFacts group, int index) {
        return live(group).without(index);
    }

    /**
     * True when the record is of a chunk with all its bytes of the sealed group. A writer may have finished a chunk
     * longer than its group was recovered to: what the group has of it are then full stripes, which are the same bytes
     * in both, and the rest is never read. One of another stamp is no chunk of the group at all. Where the group ends
     * in a tail, that lies elsewhere in a longer one, which is not to be trusted.
     */
    public static boolean whole(GroupFacts group, ChunkRecord record) {
        return record.stamp() == group.stamp()
                && RecoverableLength.holds(new GroupLayout(group.policy(), group.length()), record);
    }

    /**
     * @throws EcfsException {@code ACCESS_DENIED} for what the superuser alone may ask; before the cluster is formatted
     *     nothing is refused
     */
    public void requireRight(Caller caller, NamespaceRequest request) throws EcfsException {
        if (RequestRights.superuserOnly(request)) {
            try (MetadataView view = facts.get()) {
                Optional<ClusterIdentity> identity = view.identity();
                if (identity.isPresent()) {
                    RequestRights.require(identity.get(), caller, request);
                }
            }
        }
    }

    /** What datanodes greet with; no user is called so, since no user's name has a space. */
    public static boolean isDatanode(Caller caller) {
        return caller.user().startsWith("datanode ");
    }

    public Optional<GroupFacts> sealed(MetadataView view, GroupId group) {
        return view.group(group).filter(facts -> !facts.open());
    }
}

package io.ecfs.namenode.context;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Randomness;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.placement.PlacementCandidate;
import io.ecfs.namenode.placement.RingPlacement;
import io.ecfs.namenode.report.ChunkCatalog;
import io.ecfs.namenode.report.DatanodeTable;
import io.ecfs.namenode.report.RebuildNotes;
import io.ecfs.namenode.report.RingReports;
import io.ecfs.namenode.stats.SiteLoads;
import io.ecfs.namenode.stats.Statistics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The cluster by the facts of the log and the reports of the datanodes: which datanodes and volumes are alive, which
 * chunks can be read, where new ones may be placed. Owner thread: the namenode's event thread.
 */
public record ClusterView(
        NamenodeContext context,
        Topology topology,
        DatanodeTable table,
        ChunkCatalog catalog,
        RebuildNotes rebuilds,
        Statistics statistics,
        ClusterRings rings) {

    private static final int SCARCE_PART = 10;

    /** Requests for which a nearly full journal counts. */
    private static final int PRESSURE = 16;

    public DatanodeState state(DatanodeId datanode) {
        return table.state(datanode, context.nowMillis());
    }

    /** All datanodes as candidates for groups in no ring, usable or not. */
    public List<PlacementCandidate> candidates() {
        return candidates(rings.now()::outside);
    }

    /**
     * The volumes of a new group, by chunk index.
     *
     * @param ring that is wanted, see {@link ClusterRings#serving}
     */
    public Placement.Choice newGroup(Placement placement, Policy policy, Optional<RingId> ring, Set<DatanodeId> avoid) {
        Optional<RingFacts> facts = rings.serving(policy, ring);
        Randomness random = context.environment().randomness();
        if (facts.isEmpty()) {
            return placement.choose(candidates(), avoid, policy.chunks(), random);
        }
        TreeMap<VolumeId, Integer> colours = new TreeMap<>();
        active(facts.get())
                .forEach(member -> colours.put(member.volume(), member.colour().orElseThrow()));
        Ring preferred = rings.now().rule(facts.get(), policy);
        return new RingPlacement(placement, facts.get().shape(), preferred, policy.code(), colours)
                .choose(candidates(colours::containsKey), avoid, random);
    }

    private List<RingMember> active(RingFacts ring) {
        return rings.now().members(ring.ring()).stream()
                .filter(member -> member.is(Duty.ACTIVE))
                .toList();
    }

    /** All datanodes, usable or not, with those of their volumes that may be chosen. */
    public List<PlacementCandidate> candidates(Predicate<VolumeId> may) {
        return topology.datanodes().stream()
                .map(datanode -> candidate(datanode).only(may))
                .toList();
    }

    private PlacementCandidate candidate(DatanodeFacts datanode) {
        List<PlacementCandidate.Volume> volumes = datanode.volumes().values().stream()
                .flatMap(volume -> table.load(volume).stream())
                .map(load -> new PlacementCandidate.Volume(
                        load.volume(),
                        load.state(),
                        load.freeBytes(),
                        Math.max(0, load.queued()) + table.placedLately(load.volume()) + pressure(load.volume())))
                .toList();
        return new PlacementCandidate(
                datanode.datanode(),
                datanode.rack(),
                state(datanode.datanode()),
                datanode.adminState().state(),
                volumes);
    }

    /** A volume whose journal is nearly full gets fewer chunks: it delays acknowledgements. */
    private int pressure(VolumeId volume) {
        return rings.reports()
                .status(volume)
                .map(RingReports.Received::status)
                .filter(RingVolumeStatus::journalNearlyFull)
                .map(status -> PRESSURE)
                .orElse(0);
    }

    public long healthyDatanodes() {
        return datanodes(DatanodeState.HEALTHY);
    }

    public long datanodes(DatanodeState in) {
        return topology.datanodes().stream()
                .filter(d -> state(d.datanode()) == in)
                .count();
    }

    /** Number of datanodes in this state that are expected to run: without those in maintenance or taken away. */
    public long expectedDatanodes(DatanodeState in) {
        return topology.datanodes().stream()
                .filter(d -> d.adminState().state() != AdminState.State.DECOMMISSIONED
                        && d.adminState().state() != AdminState.State.IN_MAINTENANCE)
                .filter(d -> state(d.datanode()) == in)
                .count();
    }

    public long datanodes(AdminState.State in) {
        return topology.datanodes().stream()
                .filter(d -> d.adminState().state() == in)
                .count();
    }

    /** The loads of the datanodes that are alive. */
    public SiteLoads siteLoads() {
        List<DatanodeId> alive = topology.datanodes().stream()
                .map(DatanodeFacts::datanode)
                .filter(datanode -> state(datanode) == DatanodeState.HEALTHY)
                .toList();
        return statistics.siteLoads(alive, context.nowMillis());
    }

    public boolean healthyOwner(VolumeId volume) {
        return healthyOwner(volume, context.nowMillis());
    }

    private boolean healthyOwner(VolumeId volume, long atMillis) {
        return topology.owner(volume)
                .filter(d -> table.state(d.datanode(), atMillis) == DatanodeState.HEALTHY)
                .isPresent();
    }

    /**
     * True when the colour of a volume goes to a spare as soon as there is one: it is away too long, or failed, or its
     * datanode is being decommissioned.
     */
    public boolean awaitsSpare(RingMember member) {
        VolumeId volume = member.volume();
        boolean leaves = topology.owner(volume).filter(DatanodeFacts::leaving).isPresent();
        return member.is(Duty.ACTIVE) && (leaves || (permanentlyUnavailable(volume) && !inMaintenance(volume)));
    }

    /** True for a spare that can take the colour of another volume. */
    public boolean canSucceed(RingMember member) {
        VolumeId spare = member.volume();
        return member.is(Duty.SPARE)
                && healthyOwner(spare)
                && inService(spare)
                && table.load(spare)
                        .filter(load -> load.state() == VolumeState.HEALTHY)
                        .isPresent();
    }

    /** True when no report of the volume is to be expected: it or its datanode is away too long, or it has failed. */
    public boolean permanentlyUnavailable(VolumeId volume) {
        return topology.owner(volume)
                .filter(owner -> state(owner.datanode()) != DatanodeState.DEAD)
                .filter(owner -> works(volume) || away(volume) || !table.reportedVolumes(owner.datanode()))
                .isEmpty();
    }

    /**
     * True while a volume that its datanode does not report may still come back: its drive may only not be mounted.
     */
    public boolean away(VolumeId volume) {
        return table.away(volume, context.nowMillis());
    }

    /**
     * True when a whole chunk of a sealed group lies on a failed volume whose datanode is alive: it does not count and
     * is rebuilt elsewhere, but is read where no other source is left.
     */
    public boolean lastResort(GroupFacts group, ChunkOnVolume stored) {
        return healthyOwner(stored.volume())
                && table.load(stored.volume())
                        .filter(load -> load.state() == VolumeState.FAILED)
                        .isPresent()
                && catalog.find(stored.volume(), stored.chunk())
                        .filter(record -> group.isWhole(record))
                        .isPresent();
    }

    /** The indexes of the group that another one may be computed from, those of failed volumes included. */
    public ChunkSet worthReading(GroupFacts group) {
        return ChunkSet.of(group.stored().stream()
                .filter(stored -> live(group, stored) || lastResort(group, stored))
                .map(stored -> stored.chunk().index())
                .toList());
    }

    /** True when the datanode of the volume is alive, and the volume works and has reported its chunks. */
    public boolean serving(VolumeId volume) {
        return serving(volume, context.nowMillis());
    }

    /** As the other, with liveness at a moment. */
    public boolean serving(VolumeId volume, long atMillis) {
        return healthyOwner(volume, atMillis) && catalog.reported(volume) && works(volume);
    }

    /**
     * True when the report of the volume is complete: it has reported its chunks, or its datanode reports that it
     * failed or is gone.
     */
    public boolean reportComplete(VolumeId volume) {
        return topology.owner(volume)
                .filter(owner -> state(owner.datanode()) == DatanodeState.HEALTHY
                        && table.reportedVolumes(owner.datanode())
                        && (catalog.reported(volume) || !works(volume)))
                .isPresent();
    }

    /** True when the volume's datanode is in maintenance: it may stop at any moment. */
    public boolean inMaintenance(VolumeId volume) {
        return topology.owner(volume).filter(DatanodeFacts::inMaintenance).isPresent();
    }

    /** True when chunks may be placed on the volume, as far as operators are concerned. */
    public boolean inService(VolumeId volume) {
        return topology.owner(volume).filter(DatanodeFacts::inService).isPresent();
    }

    /** Number of volumes of live datanodes that last reported this state. */
    public long volumes(VolumeState state) {
        return topology.volumes().stream()
                .filter(volume -> healthyOwner(volume)
                        && table.load(volume)
                                .filter(load -> load.state() == state)
                                .isPresent())
                .count();
    }

    /** True when its datanode reports it as serving reads and taking no change: its chunks are to be moved. */
    public boolean readOnly(VolumeId volume) {
        return table.load(volume)
                .filter(load -> load.state() == VolumeState.READ_ONLY)
                .isPresent();
    }

    /** True when a volume is full, or less than a tenth of all is free: garbage is then deleted at once. */
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

    /** True when every byte of this chunk of a sealed group can be read now. */
    public boolean live(GroupFacts group, ChunkOnVolume stored) {
        return serving(stored.volume()) && reportedWhole(group, stored);
    }

    /** True when its volume was last reported to have this chunk of a sealed group with all its bytes. */
    public boolean reportedWhole(GroupFacts group, ChunkOnVolume stored) {
        return catalog.find(stored.volume(), stored.chunk())
                .filter(record -> group.isWhole(record))
                .isPresent();
    }

    /** Returns whether the chunk of an index is where the facts place it, and can be read. */
    public boolean live(GroupFacts group, int index) {
        return group.stored(index).filter(stored -> live(group, stored)).isPresent();
    }

    /** The indexes of the group of which every byte can be read now. */
    public ChunkSet live(GroupFacts group) {
        return ChunkSet.of(group.stored().stream()
                .filter(stored -> live(group, stored))
                .map(stored -> stored.chunk().index())
                .toList());
    }

    /** As {@link #live(GroupFacts)}, without one index. */
    public ChunkSet liveOthers(GroupFacts group, int index) {
        return live(group).without(index);
    }
}

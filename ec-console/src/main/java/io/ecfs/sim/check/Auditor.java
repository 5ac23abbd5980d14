package io.ecfs.sim.check;

import static io.ecfs.sim.time.SimulationFailure.check;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.NamenodeHost;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.ring.StagedDisk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Looks at the facts and at the disks from outside, and says what must never be. */
public final class Auditor {
    private static final GroupId FIRST = new GroupId(1);

    /** Recounting everything takes longer than all other checks together. */
    private static final int LOOKS_FOR_A_RECOUNT = 10;

    private static final String SUPERUSER = "user";

    private final World world;
    private final Cluster cluster;
    private final Map<Long, Long> hashes = new HashMap<>();
    private final UnderReplicationRecounts recounts;
    private boolean rolledBack;
    private long poller;

    public Auditor(World world, Cluster cluster) {
        this.world = world;
        this.cluster = cluster;
        this.recounts = new UnderReplicationRecounts(cluster);
    }

    /** Checks the invariants of every moment. */
    public void checkAlways() {
        if (!rolledBack && cluster.rolledBackTo().isPresent()) {
            rolledBack = true;
            hashes.keySet().removeIf(index -> index >= cluster.rolledBackTo().getAsLong());
        }
        boolean recount = ++poller % LOOKS_FOR_A_RECOUNT == 0;
        if (recount) {
            recounts.poll();
        }
        for (DatanodeHost datanode : cluster.datanodes()) {
            if (datanode.up() && !datanode.dying()) {
                datanode.staged().ifPresent(StagedDisk::check);
            }
        }
        for (NamenodeHost namenode : cluster.namenodes()) {
            if (namenode.up()) {
                checkSameFacts(namenode);
            }
        }
        cluster.newest().ifPresent(newest -> {
            try (MetadataView facts = newest.state().view()) {
                facts.groups(FIRST, group -> {
                    checkPlaces(facts, group);
                    return true;
                });
                checkReferencedChunksAreThere(facts);
                if (recount && facts.identity().isPresent()) {
                    ExtentRecount.of(facts, SUPERUSER);
                }
            }
        });
    }

    private void checkSameFacts(NamenodeHost namenode) {
        MetadataState state = namenode.state();
        long index = state.applied().index();
        long hash = state.stateHash();
        Long other = hashes.putIfAbsent(index, hash);
        check(
                other == null || other == hash,
                "%s has other facts at entry %s than a namenode before",
                namenode.id(),
                index);
    }

    private void checkPlaces(MetadataView facts, GroupFacts group) {
        Set<VolumeId> volumes = new HashSet<>();
        Set<DatanodeId> datanodes = new HashSet<>();
        for (ChunkOnVolume stored : group.stored()) {
            check(volumes.add(stored.volume()), "two chunks of %s on volume %s", group.group(), stored.volume());
            DatanodeId owner = facts.ownerOf(stored.volume()).orElseThrow();
            check(datanodes.add(owner), "two chunks of %s on datanode %s", group.group(), owner);
        }
        ChunkSet stored =
                ChunkSet.of(group.stored().stream().map(s -> s.chunk().index()).toList());
        // Of a pack whose bytes were never on disk recovery may find nothing, while files refer to it.
        boolean takenByPower = world.settings().losesPower() && group.length() == 0;
        check(
                takenByPower || group.policy().code().decodable(stored),
                "%s has only %s chunks: %s",
                group.group(),
                group.stored().size(),
                group);
    }

    /** If no power is lost, a chunk of a sealed group that the facts place on a volume is on it, from the seal on. */
    private void checkReferencedChunksAreThere(MetadataView facts) {
        if (world.settings().losesPower() || rolledBack) {
            return;
        }
        onDisks().forEach((volume, records) -> {
            for (ChunkOnVolume stored : facts.chunksOn(volume, Optional.empty(), Integer.MAX_VALUE)) {
                GroupFacts group = facts.group(stored.chunk().group()).orElseThrow();
                check(
                        group.open() || records.containsKey(stored.chunk()),
                        "chunk %s of a sealed group is not on volume %s any more",
                        stored.chunk(),
                        volume);
            }
        });
    }

    /** Orders on their way to a datanode: only what the facts do not need may be deleted. */
    public void checkMessage(Message message) {
        if (!(message instanceof DatanodeReply.HeartbeatReply reply)) {
            return;
        }
        for (DatanodeOrder order : reply.orders()) {
            if (order instanceof DatanodeOrder.Delete delete) {
                checkMayGo(delete);
            }
        }
    }

    private void checkMayGo(DatanodeOrder.Delete delete) {
        cluster.newest().ifPresent(newest -> {
            try (MetadataView facts = newest.state().view()) {
                boolean needed = facts.group(delete.chunk().group())
                        .flatMap(group -> group.volumeOf(delete.chunk()))
                        .equals(Optional.of(delete.volume()));
                check(!needed, "the facts place %s on %s, and it is to be deleted", delete.chunk(), delete.volume());
            }
        });
    }

    /** Reasons why a healed and quiet world is not settled; empty when it is. */
    public List<String> unsettled() {
        recounts.poll();
        List<String> reasons = new ArrayList<>(recounts.unsettled());
        NamenodeHost newest = cluster.newest().orElseThrow();
        for (NamenodeHost namenode : cluster.namenodes()) {
            if (!namenode.state().applied().equals(newest.state().applied())) {
                reasons.add(namenode.id() + " lags behind " + newest.id());
            }
        }
        try (MetadataView facts = newest.state().view()) {
            ExtentRecount.of(facts, SUPERUSER);
            facts.rewrites(1).forEach(group -> reasons.add("a rewrite still fills " + group));
            long open = facts.count(Counter.OPEN_GROUPS);
            if (open > 0) {
                reasons.add(open + " groups are still open");
            }
            if (facts.pendingDeletions() > 0) {
                reasons.add(facts.pendingDeletions() + " deletions are pending");
            }
            compareDisks(facts, reasons);
            checkLeaving(facts, reasons);
            Map<VolumeId, Map<ChunkId, ChunkRecord>> disks = onDisks();
            facts.groups(FIRST, group -> {
                unhealed(group, disks).ifPresent(reasons::add);
                return reasons.isEmpty();
            });
        }
        return reasons;
    }

    /** A datanode that is to leave is left with nothing but chunks whose owner is unknown. */
    private void checkLeaving(MetadataView facts, List<String> reasons) {
        Map<VolumeId, Map<ChunkId, ChunkRecord>> disks = onDisks();
        for (DatanodeFacts datanode : facts.datanodes()) {
            boolean telling = false;
            for (VolumeId volume : datanode.volumes().values()) {
                for (ChunkOnVolume stored : facts.chunksOn(volume, Optional.empty(), Integer.MAX_VALUE)) {
                    GroupFacts group = facts.group(stored.chunk().group()).orElseThrow();
                    boolean there =
                            whole(group, disks.getOrDefault(volume, Map.of()).get(stored.chunk()));
                    boolean tellable = there || group.policy().code().decodable(proven(group, disks));
                    if (datanode.leaving() && tellable) {
                        reasons.add(stored + " is still on " + datanode.datanode() + ", which leaves");
                    }
                    telling |= !tellable;
                }
            }
            if (datanode.adminState().state() == AdminState.State.DECOMMISSIONING && !telling) {
                reasons.add(datanode.datanode() + " is not decommissioned yet");
            }
        }
    }

    private void compareDisks(MetadataView facts, List<String> reasons) {
        Map<VolumeId, Map<ChunkId, ChunkRecord>> disks = onDisks();
        disks.forEach((volume, records) -> {
            for (ChunkOnVolume stored : facts.chunksOn(volume, Optional.empty(), Integer.MAX_VALUE)) {
                GroupFacts group = facts.group(stored.chunk().group()).orElseThrow();
                if (!world.settings().losesPower() && !rolledBack && !whole(group, records.get(stored.chunk()))) {
                    reasons.add(
                            stored + " of a group of " + group.length() + " bytes is " + records.get(stored.chunk()));
                }
            }
            for (ChunkRecord record : records.values()) {
                Optional<GroupFacts> group = facts.group(record.chunk().group());
                boolean placed = group.flatMap(g -> g.volumeOf(record.chunk())).equals(Optional.of(volume));
                boolean doubted = group.isPresent() && !superfluous(group.get(), disks);
                if (!placed && !doubted && !ofAnEarlierTime(facts, record)) {
                    reasons.add("garbage on " + volume + ": " + record);
                }
            }
            for (ChunkOnVolume garbage : facts.garbageOn(volume, Optional.empty(), Integer.MAX_VALUE)) {
                reasons.add("still called garbage: " + garbage);
            }
        });
    }

    /** Returns whether a rollback left it without an owner: it stays, and so does one whose owner is unknown. */
    private boolean ofAnEarlierTime(MetadataView facts, ChunkRecord record) {
        boolean nameless = record.state() == ChunkState.CORRUPT && record.stamp() == 0;
        return rolledBack
                && (nameless || !facts.stampOf(record.chunk().group()).equals(OptionalInt.of(record.stamp())));
    }

    /**
     * With all datanodes back, repair makes every group whole that can be decoded and has a datanode for each chunk.
     */
    private Optional<String> unhealed(GroupFacts group, Map<VolumeId, Map<ChunkId, ChunkRecord>> disks) {
        ChunkSet whole = proven(group, disks);
        boolean repairable = !group.open()
                && group.policy().code().decodable(whole)
                && cluster.datanodes().size() >= group.policy().chunks();
        return repairable && whole.size() < group.policy().chunks()
                ? Optional.of("only " + whole + " of " + group + " are whole")
                : Optional.empty();
    }

    /**
     * A writer may have finished its chunk longer than the group was sealed when its file was recovered: the rest is
     * not read. That is so only where the group ends with a full stripe; the tails of two lengths have nothing in
     * common.
     */
    private static boolean whole(GroupFacts group, ChunkRecord record) {
        if (record == null
                || group.open()
                || record.state() != ChunkState.FINALISED
                || record.stamp() != group.stamp()) {
            return false;
        }
        boolean endsWithAStripe = group.length() % group.policy().stripeBytes() == 0;
        return (record.groupLength() == group.length() || (endsWithAStripe && record.groupLength() > group.length()))
                && record.bytes()
                        >= new GroupLayout(group.policy(), group.length())
                                .chunkBytes(record.chunk().index());
    }

    /**
     * Without chunks that are proven whole and survive one more loss nothing of a group may be deleted, so that what is
     * left over stays.
     */
    private static boolean superfluous(GroupFacts group, Map<VolumeId, Map<ChunkId, ChunkRecord>> disks) {
        return group.policy().code().redundant(proven(group, disks));
    }

    private static ChunkSet proven(GroupFacts group, Map<VolumeId, Map<ChunkId, ChunkRecord>> disks) {
        return ChunkSet.of(group.stored().stream()
                .filter(stored -> whole(
                        group, disks.getOrDefault(stored.volume(), Map.of()).get(stored.chunk())))
                .map(stored -> stored.chunk().index())
                .toList());
    }

    private Map<VolumeId, Map<ChunkId, ChunkRecord>> onDisks() {
        Map<VolumeId, Map<ChunkId, ChunkRecord>> disks = new TreeMap<>();
        for (DatanodeHost datanode : cluster.datanodes()) {
            datanode.chunks().forEach((volume, records) -> {
                Map<ChunkId, ChunkRecord> byChunk = new TreeMap<>();
                records.forEach(record -> byChunk.put(record.chunk(), record));
                disks.put(volume, byChunk);
            });
        }
        return disks;
    }
}

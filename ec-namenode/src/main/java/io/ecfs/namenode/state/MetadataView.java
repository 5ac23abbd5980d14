package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.RingId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.cluster.LogRow;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.cluster.Rings;
import io.ecfs.namenode.cluster.TokenKeys;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.ConversionFacts;
import io.ecfs.namenode.group.Conversions;
import io.ecfs.namenode.group.Garbage;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.Repairs;
import io.ecfs.namenode.group.Rewrites;
import io.ecfs.namenode.group.Stamps;
import io.ecfs.namenode.history.History;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * All facts at one position of the log. For one thread; close it soon, since it prevents old rows from being compacted
 * away.
 */
public final class MetadataView implements AutoCloseable {
    private final View view;
    private final CommandCodec codec;
    private final Optional<ClusterIdentity> known;

    /** @param known the identity of the cluster, which need not be looked up then */
    MetadataView(View view, CommandCodec codec, Optional<ClusterIdentity> known) {
        this.view = view;
        this.codec = codec;
        this.known = known;
    }

    /** The last log entry that this view includes. */
    public Position applied() {
        return AppliedPosition.positionOf(view);
    }

    /** Empty before the cluster is formatted. */
    public Optional<ClusterIdentity> identity() {
        return known.or(() -> ClusterIdentity.find(view));
    }

    /** The log that these facts come from; empty before the cluster is formatted. */
    public Optional<LogIdentity> log() {
        return LogRow.find(view);
    }

    /** @throws EcfsException {@code SAFE_MODE} before the cluster is formatted */
    public NamespaceView namespace() throws EcfsException {
        return new NamespaceView(view, known.isPresent() ? known.get() : formatted(view));
    }

    /** Of a cluster that is known to be formatted: it has leases, groups or files. */
    public NamespaceView knownNamespace() {
        try {
            return namespace();
        } catch (EcfsException e) {
            throw new IllegalStateException("a formatted cluster has a namespace", e);
        }
    }

    public Optional<GroupFacts> group(GroupId group) {
        return Groups.find(view, group);
    }

    /** The group unless it is still being written. */
    public Optional<GroupFacts> sealedGroup(GroupId group) {
        return group(group).filter(facts -> !facts.open());
    }

    /** The stamp with which this state allocated the group, also when it is gone; empty when it never did. */
    public OptionalInt stampOf(GroupId group) {
        return Stamps.of(view, group);
    }

    /** The last number that this state allocated in an epoch; 0: none. */
    public long lastNumber(int epoch) {
        return Stamps.lastNumber(view, epoch);
    }

    /** Visits the groups from {@code first} on, in order, until the visitor returns false. */
    public void groups(GroupId first, Predicate<GroupFacts> visitor) {
        Groups.scan(view, first, visitor);
    }

    /** At most {@code limit} groups in order, from {@code first} on. */
    public List<GroupId> groupsFrom(GroupId first, int limit) {
        List<GroupId> found = new ArrayList<>();
        groups(first, group -> {
            found.add(group.group());
            return found.size() < limit;
        });
        return found;
    }

    /** At most {@code limit} groups of packs in which files have bytes, in order, from {@code first} on. */
    public List<GroupId> packs(GroupId first, int limit) {
        return PackedGroups.page(view, first, limit);
    }

    /** The number of files that have bytes in a group of a pack, counted up to {@code most}. */
    public long packedFiles(GroupId group, long most) {
        return PackedGroups.count(view, group, most);
    }

    /** The chunks that the facts place on a volume, in chunk order, from the one after {@code after} on. */
    public List<ChunkOnVolume> chunksOn(VolumeId volume, Optional<ChunkOnVolume> after, int limit) {
        return Groups.onVolume(view, volume, after, limit);
    }

    /** The garbage of a volume in chunk order, from the one after {@code after} on. */
    public List<ChunkOnVolume> garbageOn(VolumeId volume, Optional<ChunkOnVolume> after, int limit) {
        return Garbage.onVolume(view, volume, after, limit);
    }

    /** The first garbage of a volume, each with the stamp of its group. */
    public SortedMap<ChunkOnVolume, Integer> stampedGarbage(VolumeId volume, int limit) {
        return Garbage.stamped(view, volume, limit);
    }

    public boolean isGarbage(ChunkOnVolume chunk) {
        return Garbage.contains(view, chunk);
    }

    /** The latest attempt to rebuild a chunk of an index, published ones not counted. */
    public Optional<Repairs.Attempt> repair(GroupId group, int index) {
        return Repairs.find(view, group, index);
    }

    /** Groups that rewrites fill, at most so many. */
    public List<GroupId> rewrites(int limit) {
        return Rewrites.groups(view, limit);
    }

    /** The conversions under way, and those that ended last, the oldest first. */
    public List<ConversionFacts> conversions() {
        return Conversions.all(view);
    }

    /** All registered datanodes in the order of their names. */
    public List<DatanodeFacts> datanodes() {
        return Datanodes.all(view);
    }

    public Optional<DatanodeFacts> datanode(DatanodeId datanode) {
        return Datanodes.find(view, datanode);
    }

    /** @throws EcfsException {@code NOT_FOUND}, with the id that was probably meant */
    public DatanodeFacts registered(DatanodeId datanode) throws EcfsException {
        return Datanodes.find(view, datanode).orElseThrow(() -> AdminStateRules.unknown(view, datanode));
    }

    public Optional<DatanodeId> ownerOf(VolumeId volume) {
        return Datanodes.ownerOf(view, volume);
    }

    /** In the order of their numbers. */
    public List<RingFacts> rings() {
        return Rings.all(view);
    }

    /** The ring of this name. */
    public Optional<RingFacts> ring(String name) {
        return Rings.find(view, name);
    }

    /** The volumes of all rings, in the order of their numbers. */
    public List<RingMember> ringMembers() {
        return Rings.members(view);
    }

    /** Grows with each change of a ring, of its volumes and of the policies of directories that name it. */
    public long ringChanges() {
        return count(Counter.RING_CHANGES);
    }

    /** How many groups of the ring tolerate at most 0, 1, … writers, up to one less than its colours. */
    public List<Long> ringGroups(RingFacts ring) {
        return Rings.groups(view, ring);
    }

    /** How many directories name the ring. */
    public long ringDirectories(RingId ring) {
        return Rings.directories(view, ring).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The most writers that all groups of a ring tolerate, and all to come in directories that name it. */
    public int mostWriters(RingFacts ring) {
        return RingLimits.mostWriters(view, ring);
    }

    /** The most writers that all groups to come in directories that name a ring tolerate. */
    public int mostWritersOfDirectories(RingFacts ring) {
        return RingLimits.mostWritersOfDirectories(view, ring);
    }

    /** The feature level in force. */
    public int levelInForce() {
        return LevelInForce.of(view);
    }

    /** The keys of block tokens, oldest first; the last one signs. */
    public List<TokenKey> tokenKeys() {
        return TokenKeys.all(view);
    }

    public long count(Counter counter) {
        return counter.of(view);
    }

    /** Number of the last deletion whose files were turned into garbage: those behind it are pending. */
    public long purgedDeletion() {
        return count(Counter.PURGED_DELETION);
    }

    /** Number of the last deletion; 0 before the first. */
    public long lastDeletion() {
        return count(Counter.LAST_DELETION);
    }

    /** Deletions whose files are not yet turned into garbage. */
    public long pendingDeletions() {
        return lastDeletion() - purgedDeletion();
    }

    /** Events after the one with number {@code after}, oldest first. */
    public List<HistoryEvent> events(long after, int limit) {
        return History.events(view, after, limit);
    }

    /** Incidents after the one with number {@code after}, oldest first. */
    public List<Incident> incidents(long after, int limit) {
        return History.incidents(view, after, limit);
    }

    public Optional<Incident> incident(long id) {
        return History.incident(view, id);
    }

    /** Incidents that are not healed, and those whose cause lasts. */
    public List<Incident> incidentsGoingOn() {
        return History.goingOn(view);
    }

    /** The chunks of an incident in the order of group and index, from behind (group, index) on. */
    public List<RepairTrace> repairs(long incident, long afterGroup, int afterIndex, int limit) {
        return History.chunks(view, incident, afterGroup, afterIndex, limit);
    }

    /** The remembered answer to a call that had its effect before. */
    public Optional<CommandResult> answerTo(String user, Mutation mutation) throws EcfsException {
        Optional<byte[]> answer = RetryCache.of(view, user, mutation).answer(view);
        return answer.isEmpty() ? Optional.empty() : Optional.of(codec.applied(answer.get()));
    }

    static ClusterIdentity formatted(View view) throws EcfsException {
        return ClusterIdentity.find(view)
                .orElseThrow(
                        () -> new EcfsException(ErrorCode.SAFE_MODE, "the cluster is not formatted yet: try again"));
    }

    @Override
    public void close() {
        view.close();
    }
}

package io.ecfs.client.health;

import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.ring.ExpectedRole;
import io.ecfs.client.ring.RingView;
import io.ecfs.client.ring.RoleTimes;
import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * The view that one client has of its datanodes: reads and writes report requests, replies and failures here, and query
 * it for what to request next.
 *
 * <pre>
 *   readers:  onRequest, onReply, onCancel --&gt; latencies, suspects, costs --&gt; sources(group), takeTrial
 *   writers:  onWriteFailure               --&gt; excluded datanodes         --&gt; excluded(), silent()
 * </pre>
 *
 * A volume of a ring that writes is slow by intent: that says nothing of its datanode.
 *
 * <p>Owned by the client's owner thread, but for {@link #counts} and what says otherwise.
 */
public final class DatanodeHealth {
    private final Clock clock;
    private final Duration lateAfter;
    private final SuspectDatanodes suspects;
    private final ExcludedDatanodes excluded;
    private final Hedging hedging;
    private final MeasuredCosts costs;
    private final BadChunkReports badChunks;
    private final RingView rings;
    private final RoleTimes roleTimes = new RoleTimes();

    public DatanodeHealth(
            Clock clock, ClientConfig config, MeasuredCosts costs, BadChunkReports badChunks, RingView rings) {
        this.clock = clock;
        this.lateAfter = config.lateAfter();
        this.suspects = new SuspectDatanodes(clock, config.suspicion());
        this.excluded = new ExcludedDatanodes(clock, config.suspicion());
        this.hedging = new Hedging(clock, config);
        this.costs = costs;
        this.badChunks = badChunks;
        this.rings = rings;
    }

    public Hedging.Counts counts() {
        return hedging.counts();
    }

    /** Reads of volumes in rings, by what these do. */
    public RoleTimes.Counts roleCounts() {
        return roleTimes.counts(rings);
    }

    /** The standing of each chunk of a group, for one read of it. */
    public SourceStates sources(LocatedGroup group) {
        return new SourceStates(lateAfter, suspects, hedging, badChunks, rings, group);
    }

    /** Returns whether a chunk's volume does nothing but read. Safe for use by several threads. */
    public boolean onReader(LocatedGroup group, ChunkLocation location) {
        return rings.role(group, location) == ExpectedRole.READS;
    }

    /** Returns whether a chunk is there and its datanode not suspected. Safe for use by several threads. */
    public boolean expectedToAnswer(ChunkLocation location) {
        return location.state() == ChunkLocation.State.LIVE && !suspects.suspected(location.datanode());
    }

    /** Returns whether some datanode is slow. Safe for use by several threads. */
    public boolean anySlow() {
        return hedging.anySlow();
    }

    /** Returns whether a request for so many bytes is late by now. */
    public boolean late(int bytes, long waitedNanos) {
        return waitedNanos >= hedging.lateAfterNanos(bytes);
    }

    /** Counts a read request that is sent; {@link #onRequest} follows. Safe for use by several threads. */
    public void countRequest() {
        hedging.countRequest();
    }

    /** A read request was sent, and counted. */
    public void onRequest(ChunkLocation location) {
        costs.asked(location);
        hedging.addCredit();
    }

    /**
     * Counts a read request to a volume that writes.
     *
     * @param chosen whether for its cost, and others would suffice
     */
    public void onRequestOfWriter(boolean chosen) {
        roleTimes.requestedOfWriter(chosen);
    }

    /**
     * Verified bytes arrived.
     *
     * @param volumeBytes that the volume was to read before this reply, these included
     * @param began time of the request
     * @param took nanoseconds since then
     * @param reportedWriting whether the volume writes, as of {@code ChunkBytes}
     */
    public void onReply(
            ChunkLocation location, int volumeBytes, long began, long took, Optional<Boolean> reportedWriting) {
        suspects.answered(location.datanode());
        boolean writes = writes(location, reportedWriting, began + took);
        if (!writes) {
            hedging.answered(location.datanode(), volumeBytes, began, began + took);
        }
        if (writes || rings.inRing(location.volume())) {
            roleTimes.answered(writes, took);
        }
        if (reportedWriting.isEmpty() || rings.sameSince(location.volume(), began)) {
            costs.answered(location, volumeBytes, took, writes);
        }
    }

    private boolean writes(ChunkLocation location, Optional<Boolean> reportedWriting, long at) {
        reportedWriting.ifPresent(writing -> rings.answered(location.volume(), writing, at));
        return reportedWriting.isPresent()
                ? reportedWriting.get()
                : rings.role(location.volume()) == ExpectedRole.WRITES;
    }

    /** A spare request was answered; its time depends on other reads of the volume and is not recorded. */
    public void onSpareReply(ChunkLocation location, Optional<Boolean> reportedWriting) {
        suspects.answered(location.datanode());
        reportedWriting.ifPresent(writing -> rings.answered(location.volume(), writing));
    }

    /** A request was cancelled before its reply; parameters as of {@link #onReply}. */
    public void onCancel(ChunkLocation location, int volumeBytes, long began, long waited) {
        ExpectedRole role = rings.role(location.volume());
        if (role == ExpectedRole.READS) {
            hedging.gaveUp(location.datanode(), volumeBytes, began, began + waited);
        }
        costs.calledOff(location, volumeBytes, waited, role == ExpectedRole.WRITES);
    }

    /**
     * Counts a read that goes around a volume since that writes.
     *
     * @return whether the volume is to be tried by a request beside the read; then {@link #onWriterTrialEnd} follows
     */
    public boolean takeWriterTrial(ChunkLocation location) {
        return rings.takeTrial(location.volume());
    }

    /** @param reportedWriting as of {@link #onReply}; empty, too, when nothing arrived */
    public void onWriterTrialEnd(ChunkLocation location, Optional<Boolean> reportedWriting) {
        reportedWriting.ifPresent(writing -> rings.answered(location.volume(), writing));
    }

    /** Returns whether a slow datanode is to be probed by a read now; if so, {@link #onTrialEnd} must follow. */
    public boolean takeTrial(DatanodeId datanode) {
        return hedging.takeTrial(datanode);
    }

    /** @return time at which the trial's request is sent */
    public long onTrialRequest() {
        hedging.countRequest();
        hedging.addCredit();
        return clock.nanos();
    }

    /** @param reportedWriting as of {@link #onReply}; empty, too, when no verified bytes arrived */
    public void onTrialEnd(
            ChunkLocation location, boolean answered, int bytes, long began, Optional<Boolean> reportedWriting) {
        hedging.tried(location.datanode());
        long now = clock.nanos();
        if (answered && !writes(location, reportedWriting, now)) {
            hedging.answered(location.datanode(), bytes, began, now);
        }
    }

    /** @param silent whether they did not answer at all, instead of refusing */
    public void onWriteFailure(Collection<DatanodeId> datanodes, boolean silent) {
        excluded.add(datanodes, silent);
    }

    /** Datanodes that failed a writer and are not tried again yet: new groups are requested without them. */
    public Set<DatanodeId> excluded() {
        return excluded.all();
    }

    /** The excluded datanodes that did not answer. */
    public Set<DatanodeId> silent() {
        return excluded.silent();
    }
}

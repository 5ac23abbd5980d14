package io.ecfs.client.health;

import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.time.Duration;
import java.util.Collection;
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
 * Owned by the client's owner thread, but for {@link #counts} and what says otherwise.
 */
public final class DatanodeHealth {
    private final Clock clock;
    private final Duration lateAfter;
    private final SuspectDatanodes suspects;
    private final ExcludedDatanodes excluded;
    private final Hedging hedging;
    private final MeasuredCosts costs;
    private final BadChunkReports badChunks;

    public DatanodeHealth(Clock clock, ClientConfig config, MeasuredCosts costs, BadChunkReports badChunks) {
        this.clock = clock;
        this.lateAfter = config.lateAfter();
        this.suspects = new SuspectDatanodes(clock, config.suspicion());
        this.excluded = new ExcludedDatanodes(clock, config.suspicion());
        this.hedging = new Hedging(clock, config);
        this.costs = costs;
        this.badChunks = badChunks;
    }

    public Hedging.Counts counts() {
        return hedging.counts();
    }

    /** The standing of each chunk of a group, for one read of it. */
    public SourceStates sources(LocatedGroup group) {
        return new SourceStates(lateAfter, suspects, hedging, badChunks, group);
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
     * Verified bytes arrived.
     *
     * @param volumeBytes that the volume was to read before this reply, these included
     * @param began time of the request
     * @param took nanoseconds since then
     */
    public void onReply(ChunkLocation location, int volumeBytes, long began, long took) {
        suspects.answered(location.datanode());
        hedging.answered(location.datanode(), volumeBytes, began, began + took);
        costs.answered(location, volumeBytes, took);
    }

    /** A spare request was answered; its time depends on other reads of the volume and is not recorded. */
    public void onSpareReply(ChunkLocation location) {
        suspects.answered(location.datanode());
    }

    /** A request was cancelled before its reply; parameters as of {@link #onReply}. */
    public void onCancel(ChunkLocation location, int volumeBytes, long began, long waited) {
        hedging.gaveUp(location.datanode(), volumeBytes, began, began + waited);
        costs.calledOff(location, volumeBytes, waited);
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

    /** @param answered whether verified bytes arrived */
    public void onTrialEnd(DatanodeId datanode, boolean answered, int bytes, long began) {
        hedging.tried(datanode);
        if (answered) {
            hedging.answered(datanode, bytes, began, clock.nanos());
        }
    }

    /** @param silent whether they did not answer at all, instead of refusing */
    public void onWriteFailure(Collection<DatanodeId> datanodes, boolean silent) {
        excluded.add(datanodes, silent);
    }

    /** Datanodes that failed a writer within the suspicion time: new groups are requested without them. */
    public Set<DatanodeId> excluded() {
        return excluded.all();
    }

    /** The excluded datanodes that did not answer. */
    public Set<DatanodeId> silent() {
        return excluded.silent();
    }
}

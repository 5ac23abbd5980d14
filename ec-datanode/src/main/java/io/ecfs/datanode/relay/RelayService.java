package io.ecfs.datanode.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.code.construction.Codes;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.RelayLoad;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relays of a datanode, within {@link RelaySettings}. Safe for use by several threads; the rights of callers are
 * checked before.
 */
public final class RelayService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RelayService.class);
    private static final int WORK_QUEUE = 65_536; // the memory allows far fewer stripes
    private static final int SWEEPS_IN_IDLE = 4;

    private record Key(GroupId group, long writer) {}

    private final RelaySettings settings;
    private final CellSink others;
    private final RelayResources shared;
    private final Scheduler sweeper;
    private final LongAdder cells = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Object lock = new Object();

    /** The least recently used first. */
    @GuardedBy("lock")
    private final Map<Key, Relay> relays = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private int mostRelays;

    /**
     * @param name of the datanode, for thread dumps and messages
     * @param others writes to other datanodes' chunks
     */
    public RelayService(String name, CellSink others, Codes codes, Environment environment, RelaySettings settings) {
        this.settings = settings;
        this.others = others;
        Workers workers = environment.threads().workers("relay-" + name, settings.threads(), WORK_QUEUE);
        this.shared = new RelayResources(
                codes,
                new MemoryBudget("relays of " + name, settings.bytes()),
                new BufferPool("relays of " + name, Long.MAX_VALUE),
                workers,
                environment.clock());
        this.sweeper = environment.threads().scheduler("relay-sweep-" + name);
        sweeper.scheduleWithFixedDelay(
                settings.idle().dividedBy(SWEEPS_IN_IDLE), settings.idle().dividedBy(SWEEPS_IN_IDLE), this::sweep);
    }

    /**
     * Totals of the relays.
     *
     * @param relays at the moment
     * @param mostRelays at one time since the start
     * @param bytes of the stripes under way
     * @param mostBytes of them at one time since the start
     * @param cells that were taken since the start
     * @param refused cells and relays that were refused with {@code BUSY} since the start
     */
    public record Totals(int relays, int mostRelays, long bytes, long mostBytes, long cells, long refused) {}

    public Totals totals() {
        synchronized (lock) {
            return new Totals(
                    relays.size(),
                    mostRelays,
                    shared.memory().usedBytes(),
                    shared.memory().peakBytes(),
                    cells.sum(),
                    refused.sum());
        }
    }

    /** The present load, for heartbeats. */
    public RelayLoad load() {
        Totals totals = totals();
        return new RelayLoad(totals.relays(), totals.bytes(), totals.refused());
    }

    /** Number of buffers that are lent at the moment. */
    public long loans() {
        return shared.buffers().loans();
    }

    /**
     * Begins a relay, or begins it anew with other targets; on a worker, which makes the code: some take seconds.
     *
     * @return fails with {@code UNSUPPORTED} where relays are off, with {@code BUSY} when there are as many as may be
     *     and all are in use
     */
    public CompletableFuture<ChunkReply.RelayBegun> begin(ChunkRequest.BeginRelay begin) {
        return shared.workers().submit(() -> begun(begin));
    }

    private ChunkReply.RelayBegun begun(ChunkRequest.BeginRelay begin) throws EcfsException {
        if (settings.most() == 0) {
            throw new EcfsException(
                    ErrorCode.UNSUPPORTED, "this datanode does not relay (relay.most is 0): write directly");
        }
        Key key = new Key(begin.chunk().group(), begin.writer());
        Relay made = new Relay(shared, begin);
        Relay before;
        synchronized (lock) {
            if (!relays.containsKey(key) && relays.size() >= settings.most() && !removeUnused()) {
                refused.increment();
                throw new EcfsException(
                        ErrorCode.BUSY,
                        "this datanode relays for " + settings.most()
                                + " writers already (relay.most): write directly");
            }
            before = relays.put(key, made);
            mostRelays = Math.max(mostRelays, relays.size());
        }
        if (before != null) {
            before.drop(new EcfsException(ErrorCode.CHUNK_MISSING, "the relay of " + begin.chunk() + " began anew"));
        }
        return new ChunkReply.RelayBegun(begin.chunk());
    }

    /**
     * Takes a cell; see {@link ChunkRequest.RelayCell}.
     *
     * @param payload borrowed until the returned future completes
     * @param own writes to the chunk that the relay was begun at, which is on this datanode
     * @return fails with the reason of the chunk's datanode, or of this one
     */
    public CompletableFuture<ChunkReply.Relayed> take(ChunkRequest.RelayCell cell, ByteBuf payload, CellSink own) {
        try {
            Relay relay;
            synchronized (lock) {
                relay = relays.get(new Key(cell.chunk().group(), cell.writer()));
            }
            if (relay == null) {
                throw new EcfsException(
                        ErrorCode.CHUNK_MISSING,
                        "no relay of " + cell.chunk().group() + " for this writer is here: write directly");
            }
            cells.increment();
            return relay.take(cell, payload, relay.isLocal(cell.chunk()) ? own : others);
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.BUSY) {
                refused.increment();
            }
            return CompletableFuture.failedFuture(e);
        }
    }

    @GuardedBy("lock")
    private boolean removeUnused() {
        for (Map.Entry<Key, Relay> entry : relays.entrySet()) {
            if (entry.getValue().endIfUnused()) {
                relays.remove(entry.getKey());
                return true;
            }
        }
        return false;
    }

    private void sweep() {
        EcfsException reason = new EcfsException(ErrorCode.TIMEOUT, "the rest of the stripe did not come");
        List<Map.Entry<Key, Relay>> idle = new ArrayList<>();
        List<Relay> others;
        synchronized (lock) {
            relays.entrySet()
                    .removeIf(entry ->
                            entry.getValue().idleNanos() >= settings.idle().toNanos()
                                    && idle.add(Map.entry(entry.getKey(), entry.getValue())));
            others = List.copyOf(relays.values());
        }
        others.forEach(relay -> relay.dropOlderThan(settings.idle(), reason));
        for (Map.Entry<Key, Relay> entry : idle) {
            if (entry.getValue().drop(reason) > 0) {
                LOG.info(
                        "event=relay_dropped group={} reason=\"no cell came for {} s\"",
                        entry.getKey().group(),
                        settings.idle().toSeconds());
            }
        }
    }

    @Override
    public void close() {
        sweeper.close();
        List<Relay> all;
        synchronized (lock) {
            all = new ArrayList<>(relays.values());
            relays.clear();
        }
        all.forEach(relay -> relay.drop(new EcfsException(ErrorCode.UNREACHABLE, "the datanode stops")));
        shared.workers().close();
    }
}

package io.ecfs.bench.bed.recovery;

import io.ecfs.datanode.store.Volume;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A datanode with one volume that keeps no byte: it registers with a real namenode, beats, reports chunks that nobody
 * wrote, and rebuilds by word alone, which a {@link Rebuilder} may let take its time. Its owner sends what it reports
 * and hands it the replies. Not safe for use by several threads.
 */
public final class PretendDatanode {
    /** Most changes in one report. */
    private static final int CHANGES = 500;

    private final DatanodeId id;
    private final String uuid;
    private final String volumeUuid;
    private final long capacity;
    private final Consumer<DatanodeReport> sender;
    private final Rebuilder rebuilder;
    private final Map<ChunkId, ChunkRecord> chunks = new TreeMap<>();
    private final Set<ChunkId> rebuilding = new TreeSet<>();
    private final Deque<ChunkChange> changes = new ArrayDeque<>();
    private Optional<VolumeId> volume = Optional.empty();
    private long sequence = 1;
    private long bytes;
    private boolean alive = true;

    /** Does the work of an order to rebuild a chunk. */
    public interface Rebuilder {
        /**
         * Begins; the end is {@link PretendDatanode#rebuilt} or {@link PretendDatanode#failed}, now or later.
         *
         * @return false when there is no room: the order comes again with a heartbeat
         */
        boolean begin(PretendDatanode target, DatanodeOrder.Rebuild order);
    }

    /** @param sender of reports, in this order; the replies come back by {@link #registered} and {@link #obey} */
    public PretendDatanode(
            DatanodeId id, String uuid, long capacity, Consumer<DatanodeReport> sender, Rebuilder rebuilder) {
        this.id = id;
        this.uuid = uuid;
        this.volumeUuid = "volume of " + uuid;
        this.capacity = capacity;
        this.sender = sender;
        this.rebuilder = rebuilder;
    }

    public DatanodeId id() {
        return id;
    }

    /** Its number in the cluster, once it is registered. */
    public VolumeId volume() {
        return volume.orElseThrow();
    }

    public boolean alive() {
        return alive;
    }

    /** Falls silent for good. */
    public void die() {
        alive = false;
    }

    /** Bytes of all its chunks. */
    public long bytes() {
        return bytes;
    }

    public Collection<ChunkRecord> chunks() {
        return Collections.unmodifiableCollection(chunks.values());
    }

    /** The first report; the owner sends it. */
    public DatanodeReport.Register register(Address address, String rack) {
        return new DatanodeReport.Register(
                id,
                uuid,
                ++sequence,
                "",
                Volume.LAYOUT_VERSION,
                address,
                rack,
                List.of(new DatanodeReport.VolumeOffer(volumeUuid, capacity)));
    }

    /** Takes the answer to {@link #register} and reports all chunks. */
    public void registered(DatanodeReply.Registered reply) {
        volume = Optional.of(reply.volumes().get(volumeUuid));
        reportFully();
    }

    private void reportFully() {
        changes.clear();
        long report = ++sequence;
        List<ChunkRecord> all = List.copyOf(chunks.values());
        int page = 0;
        for (int from = 0; page == 0 || from < all.size(); from += DatanodeReport.FullReport.MAX_PAGE) {
            int to = Math.min(all.size(), from + DatanodeReport.FullReport.MAX_PAGE);
            sender.accept(new DatanodeReport.FullReport(
                    id, uuid, sequence, volume(), report, page++, to == all.size(), all.subList(from, to)));
        }
    }

    /** Has a chunk from now on, and tells with the next report of changes. */
    public void put(ChunkRecord record, Optional<RebuildWork> work) {
        if (chunks.put(record.chunk(), record) == null) {
            bytes += record.bytes();
        }
        changes.add(new ChunkChange.Present(volume(), record, work));
    }

    /** Reports what has changed, if anything has. */
    public void reportChanges() {
        while (!changes.isEmpty()) {
            List<ChunkChange> page = new ArrayList<>();
            while (!changes.isEmpty() && page.size() < CHANGES) {
                page.add(changes.remove());
            }
            sender.accept(new DatanodeReport.ChangeReport(id, uuid, ++sequence, page));
        }
    }

    /**
     * Reports changes and a heartbeat.
     *
     * @param queued requests that wait for the volume
     */
    public void beat(int queued, Optional<DatanodeLoad> load) {
        reportChanges();
        sender.accept(new DatanodeReport.Heartbeat(
                id,
                uuid,
                List.of(new DatanodeReport.VolumeStatus(
                        volume(), VolumeState.HEALTHY, capacity, bytes, capacity - bytes, chunks.size(), queued, 0)),
                load,
                Optional.empty()));
    }

    /** A request for orders that do not wait for the next heartbeat. */
    public DatanodeReport.AwaitOrders awaitOrders(long holdMillis) {
        return new DatanodeReport.AwaitOrders(id, uuid, holdMillis);
    }

    /** Executes the orders of a reply; other replies have none. */
    public void obey(DatanodeReply reply) {
        if (alive && reply instanceof DatanodeReply.HeartbeatReply heard) {
            heard.orders().forEach(this::obey);
        }
    }

    private void obey(DatanodeOrder order) {
        if (order instanceof DatanodeOrder.Rebuild rebuild) {
            rebuild(rebuild);
        } else if (order instanceof DatanodeOrder.Delete delete) {
            ChunkRecord gone = chunks.remove(delete.chunk());
            bytes -= gone == null ? 0 : gone.bytes();
            changes.add(new ChunkChange.Gone(volume(), delete.chunk()));
        } else if (order instanceof DatanodeOrder.ReportFully) {
            reportFully();
        }
    }

    /** An order comes again until it is answered. */
    private void rebuild(DatanodeOrder.Rebuild order) {
        ChunkRecord there = chunks.get(order.chunk());
        if (there != null) {
            changes.add(new ChunkChange.Present(volume(), there));
        } else if (rebuilding.add(order.chunk()) && !rebuilder.begin(this, order)) {
            rebuilding.remove(order.chunk());
        }
    }

    /** An order is executed: the chunk is there, and reported with the next changes. */
    public void rebuilt(DatanodeOrder.Rebuild order, RebuildWork work) {
        rebuilding.remove(order.chunk());
        long length = new GroupLayout(order.policy(), order.groupLength())
                .chunkBytes(order.chunk().index());
        put(
                new ChunkRecord(
                        order.chunk(),
                        ChunkState.FINALISED,
                        length,
                        length,
                        order.groupLength(),
                        order.token().stamp()),
                Optional.of(work));
    }

    /** An order cannot be executed, which is reported with the next changes. */
    public void failed(DatanodeOrder.Rebuild order, String reason) {
        rebuilding.remove(order.chunk());
        changes.add(new ChunkChange.RepairFailed(volume(), order.chunk(), reason, Optional.empty(), Optional.empty()));
    }
}

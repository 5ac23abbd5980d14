package io.ecfs.namenode.leader;

import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.deletion.DeletionService;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.lease.GroupRecovery;
import io.ecfs.namenode.reconstruction.RepairService;
import io.ecfs.namenode.rewriting.Rewriting;
import io.ecfs.namenode.scrub.ParityScrubber;
import io.ecfs.namenode.scrub.Replacements;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The leader's orders to a datanode, computed anew for every heartbeat from the facts and the reports, so that a lost
 * answer loses nothing. Owner thread: the namenode's event thread.
 */
final class HeartbeatOrders {
    private static final int MAX_VERIFY = 10_000;

    /** Most Verify orders in one answer to a heartbeat. */
    private static final int MAX_VERIFY_AT_ONCE = 1_000;

    private static final int MAX_OPEN_CHUNKS = 2_000;
    private static final Duration REPORT_AGAIN_AFTER = Duration.ofSeconds(30);

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final GroupRecovery recovery;
    private final DeletionService deletion;
    private final RepairService repairs;
    private final ParityScrubber parity;
    private final Replacements replacements;
    private final Rewriting rewriting;
    private final TreeSet<ChunkOnVolume> verify = new TreeSet<>();
    private final TreeMap<VolumeId, Long> askedMillis = new TreeMap<>();

    HeartbeatOrders(
            NamenodeContext context,
            ClusterView cluster,
            GroupRecovery recovery,
            DeletionService deletion,
            RepairService repairs,
            ParityScrubber parity,
            Replacements replacements,
            Rewriting rewriting) {
        this.replacements = replacements;
        this.rewriting = rewriting;
        this.context = context;
        this.cluster = cluster;
        this.recovery = recovery;
        this.deletion = deletion;
        this.repairs = repairs;
        this.parity = parity;
    }

    /**
     * Takes a reader's report of a bad chunk; one about a chunk that is not known there is dropped.
     * @return whether it is taken
     */
    boolean complained(MetadataView view, BadChunk bad) {
        ChunkOnVolume stored = new ChunkOnVolume(bad.volume(), bad.chunk());
        if (verify.size() >= MAX_VERIFY) {
            verify.removeIf(other -> !cluster.serving(other.volume())); // of a dead datanode, which asks for no orders
        }
        return known(view, stored) && verify.size() < MAX_VERIFY && verify.add(stored);
    }

    /** Placed there by the facts, or served from there: a replaced chunk is read before it is deleted. */
    private boolean known(MetadataView view, ChunkOnVolume stored) {
        boolean served = cluster.serving(stored.volume())
                && cluster.catalog().find(stored.volume(), stored.chunk()).isPresent();
        return served
                || view.group(stored.chunk().group())
                        .flatMap(group -> group.volumeOf(stored.chunk()))
                        .equals(Optional.of(stored.volume()));
    }

    /** Drops the pending complaint about a chunk, on whose state its datanode has reported. */
    void reported(ChunkOnVolume chunk) {
        verify.remove(chunk);
    }

    List<DatanodeOrder> orders(MetadataView view, DatanodeFacts datanode) {
        List<DatanodeOrder> orders = new ArrayList<>();
        for (VolumeId volume : datanode.volumes().values()) {
            if (cluster.table().load(volume).isPresent()) {
                askForReport(volume, orders);
                orders.addAll(recovery.orders(volume));
                finalise(view, volume, orders);
                orders.addAll(deletion.orders(view, volume));
                orders.addAll(repairs.orders(volume));
                orders.addAll(parity.orders(volume));
                orders.addAll(replacements.orders(volume));
                orders.addAll(rewriting.orders(volume));
                verify(view, volume, orders);
            }
        }
        return orders;
    }

    /** A failed volume never answers: chunks that were rebuilt elsewhere meanwhile must not block later complaints. */
    private void verify(MetadataView view, VolumeId volume, List<DatanodeOrder> orders) {
        List<ChunkOnVolume> some = verify.stream()
                .filter(stored -> stored.volume().equals(volume))
                .limit(MAX_VERIFY_AT_ONCE)
                .toList();
        for (ChunkOnVolume stored : some) {
            if (known(view, stored)) {
                orders.add(new DatanodeOrder.Verify(volume, stored.chunk()));
            } else {
                verify.remove(stored);
            }
        }
    }

    private void askForReport(VolumeId volume, List<DatanodeOrder> orders) {
        Long asked = askedMillis.get(volume);
        if (cluster.catalog().reported(volume)) {
            askedMillis.remove(volume);
        } else if (asked == null) {
            // The report that follows a registration is probably on its way.
            askedMillis.put(volume, context.nowMillis());
        } else if (context.passed(REPORT_AGAIN_AFTER, asked)) {
            askedMillis.put(volume, context.nowMillis());
            orders.add(new DatanodeOrder.ReportFully(volume));
        }
    }

    /** Orders to finalise chunks that their writer left open with all bytes of their sealed group. */
    private void finalise(MetadataView view, VolumeId volume, List<DatanodeOrder> orders) {
        cluster.catalog().notable(volume).stream()
                .filter(record -> record.state() == ChunkState.BEING_WRITTEN)
                .limit(MAX_OPEN_CHUNKS)
                .forEach(record -> view.sealedGroup(record.chunk().group())
                        .filter(group -> belongs(group, volume, record) && group.isWhole(record))
                        .ifPresent(group -> orders.add(new DatanodeOrder.Finalise(
                                volume,
                                record.chunk(),
                                group.chunkBytes(record.chunk().index()),
                                group.length()))));
    }

    /**
     * Returns whether the facts place the chunk here, or have nothing at its index: then it may be adopted once
     * finalised.
     */
    private static boolean belongs(GroupFacts group, VolumeId volume, ChunkRecord record) {
        int index = record.chunk().index();
        boolean current = index < group.places().size() && group.chunk(index).equals(record.chunk());
        return current
                && group.places()
                        .get(index)
                        .volume()
                        .filter(v -> !v.equals(volume))
                        .isEmpty();
    }
}

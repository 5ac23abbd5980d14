package io.ecfs.datanode.server;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.datanode.TokenKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What one namenode hears and answers, with the raw reports kept as the protocol says. */
final class PretendNamenode {
    final Map<VolumeId, TreeMap<ChunkId, ChunkRecord>> chunks = new HashMap<>();
    final List<ChunkChange> changes = new ArrayList<>();
    final List<DatanodeReport.Heartbeat> beats = new ArrayList<>();
    final Map<String, VolumeId> numbers = new TreeMap<>();
    List<DatanodeOrder> orders = List.of();
    List<TokenKey> keys = List.of();
    String clusterId = "c1";
    Optional<Integer> levelInForce = Optional.empty();
    long term = 1;
    boolean silent;
    int registrations;
    long registeredAt;
    long lastReportAt;
    int fullReports;
    int changeReports;
    int loseNext;
    private boolean registered;
    private final TreeMap<ChunkId, ChunkRecord> incoming = new TreeMap<>();

    void forgetDatanode() {
        registered = false;
    }

    DatanodeReply answer(DatanodeReport report) {
        if (report instanceof DatanodeReport.Register register) {
            registrations++;
            registeredAt = register.sequence();
            registered = true;
            register.volumes()
                    .forEach(offer -> numbers.computeIfAbsent(offer.uuid(), u -> new VolumeId(numbers.size() + 1)));
            return new DatanodeReply.Registered(clusterId, numbers, keys, levelInForce);
        }
        if (!registered) {
            return new DatanodeReply.RegisterAgain();
        }
        if (report instanceof DatanodeReport.Heartbeat beat) {
            beats.add(beat);
            return new DatanodeReply.HeartbeatReply(term, orders, keys, Optional.empty());
        } else if (report instanceof DatanodeReport.FullReport page) {
            if (page.page() == 0) {
                incoming.clear();
            }
            page.chunks().forEach(record -> incoming.put(record.chunk(), record));
            lastReportAt = page.sequence();
            if (page.last()) {
                fullReports++;
                chunks.put(page.volume(), new TreeMap<>(incoming));
            }
        } else if (report instanceof DatanodeReport.ChangeReport changed) {
            changeReports++;
            changed.changes().forEach(this::take);
        }
        return new DatanodeReply.Noted();
    }

    private void take(ChunkChange change) {
        changes.add(change);
        TreeMap<ChunkId, ChunkRecord> volume = chunks.computeIfAbsent(change.volume(), v -> new TreeMap<>());
        if (change instanceof ChunkChange.Present present) {
            volume.put(present.record().chunk(), present.record());
        } else if (change instanceof ChunkChange.Fenced fenced) {
            volume.put(fenced.record().chunk(), fenced.record());
        } else if (change instanceof ChunkChange.Gone gone) {
            volume.remove(gone.chunk());
        }
    }
}

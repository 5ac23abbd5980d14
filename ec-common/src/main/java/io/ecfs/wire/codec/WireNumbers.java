package io.ecfs.wire.codec;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.message.CancelCalls;
import io.ecfs.message.Failure;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.Metering;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.NamespaceOperation;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The number of each record on the wire. A number is never reused: a removed record leaves a hole, a record whose
 * meaning changes gets a new number. A golden file in the tests fixes the table; each conversation has its range.
 */
public final class WireNumbers {
    /** All but the requests of the namespace, whose numbers stand at their records ({@link NamespaceOperation}). */
    private static final Map<Integer, Class<? extends Message>> TABLE = Map.ofEntries(
            Map.entry(1, Greeting.Hello.class),
            Map.entry(2, Greeting.Welcome.class),
            Map.entry(3, Failure.class),
            Map.entry(4, Greeting.Prove.class),
            Map.entry(5, Greeting.Proved.class),
            // 8: metering
            Map.entry(8, Metering.ReadCounts.class),
            Map.entry(9, Metering.Counts.class),
            Map.entry(12, VolumeLoad.Ask.class),
            Map.entry(13, VolumeLoad.Reply.class),
            // 16: chunk requests
            Map.entry(16, ChunkRequest.OpenChunk.class),
            Map.entry(17, ChunkRequest.WriteCells.class),
            Map.entry(18, ChunkRequest.FinishChunk.class),
            Map.entry(19, ChunkRequest.AbortChunk.class),
            Map.entry(20, ChunkRequest.ReadChunk.class),
            Map.entry(21, ChunkRequest.ProbeChunk.class),
            Map.entry(22, ChunkRequest.PutChunk.class),
            Map.entry(23, ChunkRequest.FindLocally.class),
            Map.entry(24, ChunkRequest.WriteTail.class),
            Map.entry(25, ChunkRequest.SyncChunk.class),
            Map.entry(26, ChunkRequest.ProbeTail.class),
            Map.entry(27, ChunkRequest.ReadTail.class),
            Map.entry(28, ChunkRequest.ReadChecksums.class),
            Map.entry(29, ChunkReads.class),
            Map.entry(30, CancelCalls.class),
            Map.entry(31, ChunkRequest.CheckChunk.class),
            Map.entry(32, ChunkRequest.BeginRelay.class),
            Map.entry(33, ChunkRequest.RelayCell.class),
            // 48: chunk replies
            Map.entry(48, ChunkReply.Opened.class),
            Map.entry(49, ChunkReply.Written.class),
            Map.entry(50, ChunkReply.Finished.class),
            Map.entry(51, ChunkReply.Aborted.class),
            Map.entry(52, ChunkReply.Data.class),
            Map.entry(53, ChunkReply.Probed.class),
            Map.entry(55, ChunkReply.LocalFiles.class),
            Map.entry(56, ChunkReply.TailWritten.class),
            Map.entry(57, ChunkReply.Synced.class),
            Map.entry(58, ChunkReply.TailProbed.class),
            Map.entry(59, ChunkReply.TailBytes.class),
            Map.entry(60, ChunkReply.Checksums.class),
            Map.entry(61, ChunkReply.Checked.class),
            Map.entry(62, ChunkReply.RelayBegun.class),
            Map.entry(63, ChunkReply.Relayed.class),
            // 80: datanode reports
            Map.entry(80, DatanodeReport.Register.class),
            Map.entry(81, DatanodeReport.Heartbeat.class),
            Map.entry(82, DatanodeReport.FullReport.class),
            Map.entry(83, DatanodeReport.ChangeReport.class),
            Map.entry(84, DatanodeReport.AwaitOrders.class),
            // 112: datanode replies
            Map.entry(112, DatanodeReply.Registered.class),
            Map.entry(113, DatanodeReply.RegisterAgain.class),
            Map.entry(114, DatanodeReply.HeartbeatReply.class),
            Map.entry(115, DatanodeReply.Noted.class),
            // 144: snapshots
            Map.entry(144, SnapshotRequest.OpenSnapshot.class),
            Map.entry(145, SnapshotRequest.ReadSnapshot.class),
            Map.entry(146, SnapshotRequest.CloseSnapshot.class),
            Map.entry(147, SnapshotRequest.DescribeLog.class),
            Map.entry(160, SnapshotReply.Manifest.class),
            Map.entry(161, SnapshotReply.Bytes.class),
            Map.entry(162, SnapshotReply.Closed.class),
            Map.entry(163, SnapshotReply.LogDescription.class),
            // 512: namespace replies
            Map.entry(512, NamespaceReply.Done.class),
            Map.entry(513, NamespaceReply.Status.class),
            Map.entry(514, NamespaceReply.Listing.class),
            Map.entry(515, NamespaceReply.Created.class),
            Map.entry(516, NamespaceReply.Allocated.class),
            Map.entry(517, NamespaceReply.Recovery.class),
            Map.entry(518, NamespaceReply.Located.class),
            Map.entry(519, NamespaceReply.Policies.class),
            Map.entry(520, NamespaceReply.Space.class),
            Map.entry(521, NamespaceReply.Cluster.class),
            Map.entry(522, NamespaceReply.Report.class),
            Map.entry(523, NamespaceReply.Events.class),
            Map.entry(524, NamespaceReply.Incidents.class),
            Map.entry(525, NamespaceReply.Repairs.class),
            Map.entry(526, NamespaceReply.Problems.class),
            Map.entry(527, NamespaceReply.StopChecked.class),
            Map.entry(528, NamespaceReply.Balanced.class),
            Map.entry(529, NamespaceReply.Orphans.class),
            Map.entry(535, NamespaceReply.Acl.class),
            Map.entry(536, NamespaceReply.XAttrs.class),
            Map.entry(537, NamespaceReply.Quota.class),
            Map.entry(538, NamespaceReply.Sums.class),
            Map.entry(539, NamespaceReply.SafeMode.class),
            Map.entry(540, NamespaceReply.LocatedAll.class),
            Map.entry(545, NamespaceReply.Loads.class),
            Map.entry(546, NamespaceReply.Moves.class),
            Map.entry(550, NamespaceReply.ThrottlesInForce.class),
            Map.entry(551, NamespaceReply.SummedGroups.class),
            Map.entry(560, NamespaceReply.NamenodeState.class),
            Map.entry(561, NamespaceReply.LevelsInForce.class),
            Map.entry(562, NamespaceReply.Found.class),
            Map.entry(563, NamespaceReply.GroupFiles.class),
            Map.entry(564, NamespaceReply.AuditLines.class),
            Map.entry(565, NamespaceReply.ReadMost.class),
            Map.entry(570, NamespaceReply.Writes.class),
            Map.entry(580, NamespaceReply.Committed.class),
            Map.entry(581, NamespaceReply.ConversionBegun.class),
            Map.entry(582, NamespaceReply.Conversions.class),
            Map.entry(583, NamespaceReply.ConversionRules.class),
            Map.entry(590, NamespaceReply.Packs.class),
            Map.entry(600, NamespaceReply.Updating.class),
            Map.entry(610, NamespaceReply.Rings.class),
            Map.entry(620, NamespaceReply.Places.class));

    private static final Map<Integer, Class<? extends Message>> BY_NUMBER = index();
    private static final Map<Class<? extends Message>, Integer> BY_CLASS = invert();

    private WireNumbers() {}

    /** @throws IllegalArgumentException for a record without a number, which cannot be sent */
    public static int of(Class<? extends Message> kind) {
        Integer number = BY_CLASS.get(kind);
        if (number == null) {
            throw new IllegalArgumentException(kind.getName() + " has no wire number and cannot travel");
        }
        return number;
    }

    /** The record with this number; empty when this version knows none. */
    public static Optional<Class<? extends Message>> record(int number) {
        return Optional.ofNullable(BY_NUMBER.get(number));
    }

    /** The whole table in order. */
    public static SortedMap<Integer, Class<? extends Message>> all() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(BY_NUMBER));
    }

    private static Map<Integer, Class<? extends Message>> index() {
        Map<Integer, Class<? extends Message>> index = new HashMap<>(TABLE);
        HandlerTable.records(NamespaceRequest.class).forEach(kind -> {
            NamespaceOperation operation = kind.getAnnotation(NamespaceOperation.class);
            if (operation == null || index.putIfAbsent(operation.number(), kind.asSubclass(Message.class)) != null) {
                throw new IllegalStateException(
                        kind.getSimpleName() + " has no @NamespaceOperation, or the number of another message");
            }
        });
        return Map.copyOf(index);
    }

    private static Map<Class<? extends Message>, Integer> invert() {
        Map<Class<? extends Message>, Integer> byClass = new HashMap<>();
        BY_NUMBER.forEach((number, kind) -> byClass.put(kind, number));
        return Map.copyOf(byClass);
    }
}

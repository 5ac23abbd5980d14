package io.ecfs.wire;

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
    private static final Map<Integer, Class<? extends Message>> BY_NUMBER = Map.ofEntries(
            Map.entry(1, Greeting.Hello.class),
            Map.entry(2, Greeting.Welcome.class),
            Map.entry(3, Failure.class),
            Map.entry(4, Greeting.Prove.class),
            Map.entry(5, Greeting.Proved.class),
            // 8: metering
            Map.entry(8, Metering.ReadCounts.class),
            Map.entry(9, Metering.Counts.class),
            Map.entry(12, VolumeLoad.Ask.class),
            Map.entry(13, VolumeLoad.Told.class),
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
            // 80: datanode reports
            Map.entry(80, DatanodeReport.Register.class),
            Map.entry(81, DatanodeReport.Heartbeat.class),
            Map.entry(82, DatanodeReport.FullReport.class),
            Map.entry(83, DatanodeReport.ChangeReport.class),
            Map.entry(84, DatanodeReport.AwaitOrders.class),
            // 112: datanode replies
            Map.entry(112, DatanodeReply.Registered.class),
            Map.entry(113, DatanodeReply.RegisterAgain.class),
            Map.entry(114, DatanodeReply.Heard.class),
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
            // 256: namespace requests
            Map.entry(256, NamespaceRequest.GetStatus.class),
            Map.entry(257, NamespaceRequest.ListStatus.class),
            Map.entry(258, NamespaceRequest.Locate.class),
            Map.entry(259, NamespaceRequest.ListPolicies.class),
            Map.entry(260, NamespaceRequest.GetReport.class),
            Map.entry(261, NamespaceRequest.GetSpace.class),
            Map.entry(262, NamespaceRequest.GetCluster.class),
            Map.entry(263, NamespaceRequest.ReportBadChunks.class),
            Map.entry(264, NamespaceRequest.RenewLease.class),
            Map.entry(265, NamespaceRequest.Mkdirs.class),
            Map.entry(266, NamespaceRequest.Create.class),
            Map.entry(267, NamespaceRequest.AddGroup.class),
            Map.entry(268, NamespaceRequest.SealGroup.class),
            Map.entry(269, NamespaceRequest.CompleteFile.class),
            Map.entry(270, NamespaceRequest.AbandonFile.class),
            Map.entry(271, NamespaceRequest.RecoverLease.class),
            Map.entry(272, NamespaceRequest.Rename.class),
            Map.entry(273, NamespaceRequest.Delete.class),
            Map.entry(274, NamespaceRequest.SetMode.class),
            Map.entry(275, NamespaceRequest.SetOwner.class),
            Map.entry(276, NamespaceRequest.SetTimes.class),
            Map.entry(277, NamespaceRequest.SetPolicy.class),
            Map.entry(278, NamespaceRequest.ListEvents.class),
            Map.entry(279, NamespaceRequest.ListIncidents.class),
            Map.entry(280, NamespaceRequest.ListRepairs.class),
            Map.entry(281, NamespaceRequest.FindProblems.class),
            Map.entry(282, NamespaceRequest.CheckStop.class),
            Map.entry(283, NamespaceRequest.SetAdminState.class),
            Map.entry(284, NamespaceRequest.Balance.class),
            Map.entry(285, NamespaceRequest.FindOrphans.class),
            Map.entry(286, NamespaceRequest.AdmitDatanode.class),
            Map.entry(290, NamespaceRequest.GetInodeStatus.class),
            Map.entry(291, NamespaceRequest.CheckAccess.class),
            Map.entry(292, NamespaceRequest.GetAcl.class),
            Map.entry(293, NamespaceRequest.GetXAttrs.class),
            Map.entry(294, NamespaceRequest.GetQuota.class),
            Map.entry(295, NamespaceRequest.SumDirectory.class),
            Map.entry(296, NamespaceRequest.GetSafeMode.class),
            Map.entry(297, NamespaceRequest.ChangeAcl.class),
            Map.entry(298, NamespaceRequest.SetXAttr.class),
            Map.entry(299, NamespaceRequest.RemoveXAttr.class),
            Map.entry(300, NamespaceRequest.SetQuota.class),
            Map.entry(301, NamespaceRequest.SetSafeMode.class),
            Map.entry(302, NamespaceRequest.LocateAll.class),
            Map.entry(320, NamespaceRequest.Append.class),
            Map.entry(321, NamespaceRequest.Truncate.class),
            Map.entry(322, NamespaceRequest.Concat.class),
            Map.entry(323, NamespaceRequest.ConfirmGroup.class),
            Map.entry(324, NamespaceRequest.LeaveOut.class),
            Map.entry(330, NamespaceRequest.ReportAccesses.class),
            Map.entry(331, NamespaceRequest.GetLoads.class),
            Map.entry(332, NamespaceRequest.GetMoves.class),
            Map.entry(333, NamespaceRequest.PauseMover.class),
            Map.entry(340, NamespaceRequest.GetThrottles.class),
            Map.entry(341, NamespaceRequest.SetThrottles.class),
            Map.entry(342, NamespaceRequest.SumGroups.class),
            Map.entry(345, NamespaceRequest.OpenSession.class),
            Map.entry(346, NamespaceRequest.RenewToken.class),
            Map.entry(350, NamespaceRequest.GetNamenodeState.class),
            Map.entry(351, NamespaceRequest.FinalizeUpgrade.class),
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
            Map.entry(561, NamespaceReply.LevelsInForce.class));

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

    private static Map<Class<? extends Message>, Integer> invert() {
        Map<Class<? extends Message>, Integer> byClass = new HashMap<>();
        BY_NUMBER.forEach((number, kind) -> byClass.put(kind, number));
        return Map.copyOf(byClass);
    }
}

package io.ecfs.namenode.entry;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.CallerContext;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.ring.RingSettings;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.message.ring.RingVolumeChange;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.history.HistoryBounds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** At least one of every record that the log carries, with every optional field there and absent. */
public final class Samples {
    static final FilePath PATH = new FilePath("/a/\u00fc\uD83D\uDE00");
    static final RequestId REQUEST = new RequestId("client", 7);
    static final InodeId FILE = new InodeId(5);
    static final GroupId GROUP = new GroupId(300);
    private static final long NOW = 1_800_000_000_000L;
    private static final DatanodeId DATANODE = new DatanodeId("dn1");
    private static final VolumeId VOLUME = new VolumeId(70_000);
    private static final ChunkId CHUNK = new ChunkId(GROUP, 2, 1);
    private static final ChunkOnVolume STORED = new ChunkOnVolume(VOLUME, CHUNK);
    private static final SealedGroup SEALED = new SealedGroup(GROUP, 100, List.of(new ChunkId(GROUP, 0, 0), CHUNK));
    private static final Policy POLICY = Policy.parse("rs-2-1-64k");
    private static final RebuildWork WORK = new RebuildWork(
            12,
            new RebuildWork.Phase(1, 2),
            RebuildWork.Phase.NONE,
            new RebuildWork.Phase(3, 4),
            new RebuildWork.Phase(5, 6),
            7,
            8,
            List.of(new RebuildWork.Source(1, DATANODE, 9)));

    private Samples() {}

    public static Stream<Mutation> mutations() {
        return Stream.of(
                new NamespaceRequest.Mkdirs(REQUEST, PATH, 0755, true),
                new NamespaceRequest.Create(REQUEST, PATH, 0644, true, false, Optional.empty()),
                new NamespaceRequest.Create(
                        REQUEST, PATH, -1, false, true, Optional.of(Policy.parse("clay-4-2-5-64k"))),
                new NamespaceRequest.CreateWithoutGroup(new NamespaceRequest.Create(
                        REQUEST, PATH, 0600, true, true, Optional.of(Policy.parse("rs-3-2-64k")))),
                new NamespaceRequest.OpenPack(REQUEST, FILE, List.of(DATANODE)),
                new NamespaceRequest.CommitFiles(
                        REQUEST,
                        FILE,
                        List.of(new PackedFile(
                                FILE,
                                List.of(
                                        new PackedFile.Piece(GROUP, 4096, 100),
                                        new PackedFile.Piece(GROUP, 1L << 40, 1))))),
                new NamespaceRequest.ConvertFiles(REQUEST, PATH, POLICY, true),
                new NamespaceRequest.ControlConversion(REQUEST, 300, NamespaceRequest.ControlConversion.Control.CANCEL),
                new NamespaceRequest.SetConversionRules(REQUEST, PATH, List.of(new ConversionRule(1L << 40, POLICY))),
                new NamespaceRequest.AddGroup(REQUEST, FILE, Optional.of(SEALED), List.of(DATANODE)),
                new NamespaceRequest.SealGroup(REQUEST, FILE, SEALED),
                new NamespaceRequest.CompleteFile(REQUEST, FILE, Optional.of(SEALED), true),
                new NamespaceRequest.CompleteFile(REQUEST, FILE, Optional.empty()),
                new NamespaceRequest.LeaveOut(REQUEST, FILE, GROUP, List.of(0, 4, -1)),
                new NamespaceRequest.AbandonFile(REQUEST, FILE),
                new NamespaceRequest.Append(REQUEST, PATH),
                new NamespaceRequest.OpenUpdate(REQUEST, PATH, -2),
                new NamespaceRequest.ReplaceLayout(REQUEST, FILE, 1, 2, Optional.empty(), List.of()),
                new NamespaceRequest.ReplaceLayout(
                        REQUEST,
                        FILE,
                        -1,
                        Long.MIN_VALUE,
                        List.of(
                                new Extent(4096, 100, GROUP, 7),
                                new Extent(5000, 1, GROUP, 0, Optional.of(new Extent.Origin(GROUP, 1L << 40)))),
                        List.of(
                                new PatchGroup(GROUP, Optional.of(300L), 400, 5),
                                new PatchGroup(GROUP, Optional.empty(), 1L << 40, 0))),
                new NamespaceRequest.Truncate(REQUEST, PATH, -1, Optional.of(Long.MAX_VALUE)),
                new NamespaceRequest.Concat(REQUEST, PATH, List.of(FilePath.ROOT, PATH)),
                new NamespaceRequest.RecoverLease(REQUEST, PATH),
                new NamespaceRequest.RecoverLease(REQUEST, PATH, Optional.of(FILE)),
                new NamespaceRequest.Rename(REQUEST, PATH, FilePath.ROOT, true),
                new NamespaceRequest.Delete(REQUEST, PATH, true),
                new NamespaceRequest.SetMode(REQUEST, PATH, 0700),
                new NamespaceRequest.SetOwner(REQUEST, PATH, Optional.of("u"), Optional.empty()),
                new NamespaceRequest.SetTimes(REQUEST, PATH, Optional.of(-1L), Optional.empty()),
                new NamespaceRequest.SetPolicy(REQUEST, PATH, Optional.empty()),
                new NamespaceRequest.SetEncoding(REQUEST, PATH, Optional.empty()),
                new NamespaceRequest.SetEncoding(REQUEST, PATH, Optional.of(EncodingSide.AUTO)),
                new NamespaceRequest.SetEncoding(
                        REQUEST,
                        PATH,
                        Optional.of(EncodingSide.MASTER),
                        Optional.of(new NamespaceRequest.SetEncoding.PolicyChange(Optional.of(POLICY)))),
                new NamespaceRequest.SetEncoding(
                        REQUEST,
                        PATH,
                        Optional.empty(),
                        Optional.of(new NamespaceRequest.SetEncoding.PolicyChange(Optional.empty()))),
                new NamespaceRequest.SetPacking(REQUEST, PATH, Optional.empty()),
                new NamespaceRequest.SetPacking(REQUEST, PATH, Optional.of(0L)),
                new NamespaceRequest.SetPacking(REQUEST, PATH, Optional.of(1L << 20)),
                new NamespaceRequest.ChangeAcl(
                        REQUEST,
                        PATH,
                        NamespaceRequest.ChangeAcl.Change.SET,
                        List.of(new AclEntry(AclEntry.Scope.DEFAULT, AclEntry.Type.GROUP, "g", 5))),
                new NamespaceRequest.RemoveXAttr(REQUEST, PATH, "user.a"),
                new NamespaceRequest.SetQuota(REQUEST, PATH, Optional.of(-1L), Optional.of(1L << 50)),
                new NamespaceRequest.SetSafeMode(REQUEST, true),
                new NamespaceRequest.PauseMover(REQUEST, true),
                new NamespaceRequest.OpenSession(REQUEST),
                new NamespaceRequest.AdmitDatanode(REQUEST, DATANODE),
                new NamespaceRequest.CreateRing(
                        REQUEST, "flash", -1, Optional.of(3), Long.MIN_VALUE, List.of(VOLUME), List.of()),
                new NamespaceRequest.CreateRing(
                        REQUEST, "flash", 6, Optional.empty(), 10_000, List.of(), List.of(VOLUME, VOLUME)),
                new NamespaceRequest.SetRing(REQUEST, "flash", Optional.of(0), Optional.of(20_000L), Optional.empty()),
                new NamespaceRequest.SetRing(REQUEST, "flash", Optional.empty(), Optional.empty(), Optional.of(true)),
                new NamespaceRequest.AssignVolumes(REQUEST, "flash", List.of(VOLUME), List.of(), List.of(VOLUME)),
                new NamespaceRequest.DropRing(REQUEST, "flash", NamespaceRequest.DropRing.Remaining.MOVE),
                new NamespaceRequest.SetDirectoryRing(REQUEST, PATH, Optional.of("flash"), Optional.empty()),
                new NamespaceRequest.SetDirectoryRing(
                        REQUEST,
                        PATH,
                        Optional.empty(),
                        Optional.of(new NamespaceRequest.SetEncoding.PolicyChange(Optional.of(POLICY)))),
                new NamespaceRequest.SetThrottles(REQUEST, Optional.of(-1L), Optional.of(3L), Optional.empty()),
                new NamespaceRequest.SetAdminState(
                        REQUEST, DATANODE, AdminState.State.IN_MAINTENANCE, Optional.of(1000L)));
    }

    /** An attribute's value is an array, which records compare by identity: looked at apart. */
    static Mutation attribute() {
        return new NamespaceRequest.SetXAttr(
                REQUEST, PATH, new XAttr("user.a", "value".getBytes(StandardCharsets.UTF_8)), true, false);
    }

    static Command.Call call(Mutation mutation) {
        return new Command.Call(
                NOW,
                new CallerIdentity("user", List.of("a", "b")),
                mutation,
                List.of(new VolumeId(1), VOLUME),
                Optional.of("holder"),
                Optional.of(0x5A17_0000));
    }

    public static Stream<Command> commands() {
        return Stream.concat(
                Stream.concat(mutations(), Stream.of(attribute())).map(Samples::call),
                Stream.of(
                        new Command.Format(
                                NOW,
                                "cluster",
                                "root",
                                POLICY,
                                Optional.of("0c5ad9ad-5cf8-4ee0-a0a5-6d3f5bdaf6c0"),
                                Optional.of(1)),
                        new Command.Format(NOW, "cluster", "root", POLICY, Optional.empty(), Optional.empty()),
                        new Command.Call(
                                -1,
                                new CallerIdentity("user", List.of()),
                                new NamespaceRequest.SetMode(REQUEST, PATH, 0),
                                List.of(),
                                Optional.empty()),
                        new Command.Call(
                                NOW,
                                new CallerIdentity("root", List.of(), new CallerContext("client console:ann")),
                                new NamespaceRequest.SetPolicy(REQUEST, PATH, Optional.of(POLICY)),
                                List.of(),
                                Optional.empty()),
                        new Command.BeginRecovery(NOW, FILE, "holder"),
                        new Command.FinishRecovery(NOW, FILE, Optional.of(SEALED)),
                        new Command.FinishRecovery(NOW, FILE, Optional.empty()),
                        new Command.MarkGarbage(NOW, STORED, List.of(CHUNK), Optional.of(-7)),
                        new Command.ForgetGarbage(NOW, List.of(STORED, STORED)),
                        new Command.AdoptChunk(NOW, STORED, 100, Optional.of(-7)),
                        new Command.BeginRepair(
                                NOW,
                                GROUP,
                                255,
                                VOLUME,
                                -1,
                                Optional.of(new Command.RepairReason(
                                        IncidentCause.dead(DATANODE), 1, 2, 3, DATANODE, "lost"))),
                        new Command.BeginRepair(NOW, GROUP, 0, VOLUME, Long.MIN_VALUE, Optional.empty()),
                        new Command.CommitRepair(
                                NOW,
                                STORED,
                                100,
                                Optional.of(VOLUME),
                                List.of(CHUNK),
                                Optional.of(new ClusterEvent.RepairCommitted(
                                        IncidentCause.uneven(), CHUNK, DATANODE, 4, Optional.of(WORK)))),
                        new Command.CommitRepair(NOW, STORED, 100, Optional.empty(), List.of(), Optional.empty()),
                        new Command.PurgeStep(NOW, 1000),
                        new Command.RegisterDatanode(
                                NOW, DATANODE, "uuid", new Address("host", 9000), "/r", List.of("v1", "v2")),
                        new Command.ChangeAdminState(
                                NOW, DATANODE, AdminState.USUAL, AdminState.State.DECOMMISSIONED, "nothing is left"),
                        new Command.RollKeys(NOW, new TokenKey(3, new byte[TokenKey.SECRET_BYTES], NOW)),
                        new Command.CheckState(NOW, "nn0", 300, -2),
                        new Command.RaiseLevel(NOW, 1),
                        new Command.BeginRewrite(
                                NOW,
                                List.of(
                                        new RewritePiece(FILE, new Extent(0, 100, GROUP, 4096)),
                                        new RewritePiece(
                                                FILE,
                                                new Extent(
                                                        100,
                                                        50,
                                                        GROUP,
                                                        0,
                                                        Optional.of(new Extent.Origin(new GroupId(299), 8192))))),
                                POLICY,
                                List.of(VOLUME),
                                -7),
                        new Command.CommitRewrite(NOW, SEALED),
                        new Command.AbortRewrite(NOW, GROUP),
                        new Command.AdoptPolicy(NOW, FILE, POLICY),
                        new Command.RecordConversion(
                                NOW,
                                300,
                                new Conversion.Progress(1, 2, 3, 1L << 40, 5, 6),
                                Optional.of("/a: full"),
                                Optional.of(Conversion.State.FAILED)),
                        new Command.AdaptRing(
                                NOW,
                                new RingId(300),
                                1L << 40,
                                Optional.of(2),
                                List.of(new Command.AdaptRing.Succession(VOLUME, new VolumeId(1))),
                                List.of(VOLUME),
                                "demand"),
                        new Command.RecordEvents(
                                NOW,
                                HistoryBounds.DEFAULT,
                                firstEvents()
                                        .map(event -> new Command.Noted(NOW, event))
                                        .toList()),
                        new Command.RecordEvents(
                                NOW,
                                HistoryBounds.DEFAULT,
                                laterEvents()
                                        .map(event -> new Command.Noted(NOW, event))
                                        .toList())));
    }

    public static Stream<ClusterEvent> events() {
        return Stream.concat(firstEvents(), laterEvents());
    }

    /** Of feature level 2. */
    private static Stream<ClusterEvent> laterEvents() {
        return Stream.of(
                new ClusterEvent.ThrottlesChanged(Optional.of(-1L), Optional.of(3L), Optional.empty(), "ann as root"),
                new ClusterEvent.PolicyChanged("/a", Optional.empty(), Optional.of("rs-6-3-1024k"), "ann"),
                new ClusterEvent.QuotaChanged("/a", Optional.of(100L), Optional.empty(), "root"),
                new ClusterEvent.ConversionChanged("/a", 7, "rs-6-3-1024k", Conversion.State.PAUSED, 3, 1, "ann"),
                new ClusterEvent.GroupRewritten(IncidentCause.rewritten(), GROUP, "cleaned", 9, 1L << 30, 3L << 29),
                new ClusterEvent.RingChanged(
                        "flash",
                        300,
                        Optional.of(new RingSettings(6, 3, true, 10_000, false, false)),
                        Optional.of(new RingSettings(6, 2, false, 20_000, true, true)),
                        List.of(
                                new RingVolumeChange(
                                        VOLUME, Optional.of(Duty.ACTIVE), Optional.of(Duty.LEAVING), Optional.of(4)),
                                new RingVolumeChange(
                                        new VolumeId(1), Optional.empty(), Optional.of(Duty.SPARE), Optional.empty())),
                        7,
                        "ann"),
                new ClusterEvent.RingChanged(
                        "flash", 301, Optional.empty(), Optional.empty(), List.of(), 0, "it has no groups any more"),
                new ClusterEvent.DirectoryRingChanged("/a", Optional.empty(), Optional.of("flash"), "ann"));
    }

    /** Of feature level 1. */
    private static Stream<ClusterEvent> firstEvents() {
        IncidentCause onVolume = IncidentCause.onVolume(IncidentCause.Kind.VOLUME_FAILED, DATANODE, VOLUME);
        return Stream.of(
                new ClusterEvent.LeaderChanged("nn1", 7),
                new ClusterEvent.DatanodeChanged(DATANODE, DatanodeState.HEALTHY, DatanodeState.DEAD),
                new ClusterEvent.AdminStateChanged(
                        DATANODE,
                        AdminState.State.IN_SERVICE,
                        AdminState.State.IN_MAINTENANCE,
                        Optional.of(NOW),
                        "root"),
                new ClusterEvent.IncidentOpened(IncidentCause.absent(), 1, 2),
                new ClusterEvent.RepairPlanned(onVolume, CHUNK, 1, 2, 3, VOLUME, DATANODE, "lost"),
                new ClusterEvent.RepairCommitted(onVolume, CHUNK, DATANODE, 4, Optional.empty()),
                new ClusterEvent.RepairFailed(onVolume, CHUNK, DATANODE, "no source", Optional.of(WORK)),
                new ClusterEvent.RepairWaits(onVolume, GROUP, 2, 1, 2, "no target"),
                new ClusterEvent.IncidentHealed(onVolume),
                new ClusterEvent.CauseGone(onVolume),
                new ClusterEvent.ChunkMoved(CHUNK, DATANODE, new DatanodeId("dn2"), 1.5, -0.25, 0),
                new ClusterEvent.MoveJudged(GROUP, 2, DATANODE, new DatanodeId("dn2"), 1.5, -0.5));
    }

    public static Stream<CommandResult> outcomes() {
        FileStatus status = new FileStatus(PATH, FILE, false, 100, true, 0644, "owner", "group", -5, 1L << 40, POLICY);
        GroupFacts group = new GroupFacts(
                GROUP,
                FILE,
                POLICY,
                GroupFacts.OPEN_LENGTH,
                List.of(
                        new Place(Optional.of(new VolumeId(1)), 0),
                        new Place(Optional.empty(), 4),
                        new Place(Optional.of(new VolumeId(300)), 1000)),
                0xCAFE_F00D);
        GroupFacts pack = new GroupFacts(
                GROUP,
                new GroupOwner.Pack(new InodeId(9)),
                POLICY,
                100,
                group.places(),
                -1,
                Optional.of(new RingId(3)),
                Optional.of(70L));
        return Stream.of(
                new CommandResult.Done(),
                new CommandResult.Status(status),
                new CommandResult.Created(status, group),
                new CommandResult.Created(status.with(Optional.of(EncodingSide.MASTER)), group),
                new CommandResult.Created(status.packedUpTo(Optional.of(1L << 20)), group),
                new CommandResult.Allocated(group),
                new CommandResult.Allocated(pack),
                new CommandResult.Refused(ErrorCode.NOT_EMPTY, "directory /a is not empty"),
                new CommandResult.Recovery(FILE, true),
                new CommandResult.Formatted("cluster"),
                new CommandResult.Registered(Map.of("uuid", new VolumeId(9), "a", VOLUME)),
                new CommandResult.RepairBegun(CHUNK),
                new CommandResult.Purged(3),
                new CommandResult.ConversionBegun(300),
                new CommandResult.Updating(status, 300, List.of(new PatchGroup(GROUP, Optional.of(0L), 400, 5))),
                new CommandResult.Committed(List.of(new RefusedFile(FILE, ErrorCode.QUOTA_EXCEEDED, "full"))));
    }
}

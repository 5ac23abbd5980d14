package io.ecfs.wire.codec;

import io.ecfs.code.CodeSpec;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.layout.Stamp;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.CancelCalls;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayTimes;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.message.namespace.AccessSet;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.message.report.AuditPlace;
import io.ecfs.message.report.GroupFile;
import io.ecfs.message.report.WriteShare;
import io.ecfs.message.ring.RingClock;
import io.ecfs.message.ring.RingSettings;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume;
import io.ecfs.message.ring.RingVolumeChange;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.token.JoinToken;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Makes valid values of any record that travels, from a seed. Records whose constructors are choosy are made by hand.
 */
public final class SampleRecords {
    private final Random random;

    public SampleRecords(long seed) {
        random = new Random(seed);
    }

    /** A value of a record, a sealed interface, an enum or a type that records hold. */
    public Object any(Type type) {
        if (type instanceof ParameterizedType generic) {
            return container(generic);
        }
        Class<?> kind = (Class<?>) type;
        Object choosy = byHand(kind);
        if (choosy != null) {
            return choosy;
        }
        if (kind.isEnum()) {
            return kind.getEnumConstants()[random.nextInt(kind.getEnumConstants().length)];
        }
        if (kind.isSealed()) {
            Class<?>[] permitted = kind.getPermittedSubclasses();
            return any(permitted[random.nextInt(permitted.length)]);
        }
        if (kind.isRecord()) {
            return record(kind);
        }
        throw new IllegalStateException("no sample for " + type);
    }

    private Object record(Class<?> kind) {
        RecordComponent[] components = kind.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = any(components[i].getGenericType());
        }
        try {
            var constructor = kind.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(
                    "sample for " + kind + " refused: " + e.getCause().getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object container(ParameterizedType type) {
        Type[] contents = type.getActualTypeArguments();
        int size = random.nextInt(4);
        if (type.getRawType() == Optional.class) {
            return size == 0 ? Optional.empty() : Optional.of(any(contents[0]));
        }
        if (type.getRawType() == List.class) {
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                list.add(any(contents[0]));
            }
            return list;
        }
        if (type.getRawType() == Map.class) {
            Map<Object, Object> map = new TreeMap<>();
            for (int i = 0; i < size; i++) {
                map.put(any(contents[0]), any(contents[1]));
            }
            return map;
        }
        throw new IllegalStateException("no sample for " + type);
    }

    /** Its ranges lie one behind the other, with gaps. */
    private DatanodeOrder.Rewrite rewrite() {
        List<DatanodeOrder.Rewrite.Range> ranges = new ArrayList<>();
        long at = 0;
        for (int i = random.nextInt(4); i > 0; i--) {
            DatanodeOrder.Rewrite.Range range = new DatanodeOrder.Rewrite.Range(
                    (GroupId) any(GroupId.class),
                    random.nextInt(1 << 20),
                    1 + random.nextInt(1 << 20),
                    at + random.nextInt(4096));
            ranges.add(range);
            at = range.end();
        }
        DatanodeOrder.Rewrite.Group group = (DatanodeOrder.Rewrite.Group) any(DatanodeOrder.Rewrite.Group.class);
        return new DatanodeOrder.Rewrite((VolumeId) any(VolumeId.class), group, List.of(group, group), ranges);
    }

    private String proof() {
        byte[] bytes = new byte[JoinToken.BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private Object byHand(Class<?> kind) {
        if (kind == int.class || kind == Integer.class) {
            return 1 + random.nextInt(1000);
        } else if (kind == long.class || kind == Long.class) {
            return 1 + (random.nextLong() >>> (2 + random.nextInt(60)));
        } else if (kind == boolean.class || kind == Boolean.class) {
            return random.nextBoolean();
        } else if (kind == double.class || kind == Double.class) {
            return random.nextInt(1000) / 8.0;
        } else if (kind == Greeting.Hello.class) {
            Greeting.Hello hello = new Greeting.Hello(2, (String) any(String.class), "ada", List.of("staff"), "client");
            return random.nextBoolean() ? hello : hello.with(proof());
        } else if (kind == Greeting.Welcome.class) {
            Greeting.Welcome welcome = new Greeting.Welcome(2, (String) any(String.class), "namenode nn0");
            return random.nextBoolean() ? welcome : welcome.with(proof());
        } else if (kind == Greeting.Prove.class) {
            return new Greeting.Prove(proof());
        } else if (kind == Greeting.Proved.class) {
            return new Greeting.Proved(proof());
        } else if (kind == AccessSet.class) {
            return new AccessSet(List.of(new GroupId(1 + random.nextInt(9)), new GroupId(10)), 1 + random.nextInt(9));
        } else if (kind == AdminState.class) {
            return random.nextBoolean()
                    ? new AdminState(AdminState.State.DECOMMISSIONED, random.nextInt(1000), Optional.empty())
                    : new AdminState(AdminState.State.IN_MAINTENANCE, 1, Optional.of(1L + random.nextInt(1000)));
        } else if (kind == NamespaceRequest.SetAdminState.class) {
            return new NamespaceRequest.SetAdminState(
                    (RequestId) any(RequestId.class),
                    (DatanodeId) any(DatanodeId.class),
                    AdminState.State.IN_MAINTENANCE,
                    random.nextBoolean() ? Optional.empty() : Optional.of(1L + random.nextInt(1000)));
        } else if (kind == NamespaceRequest.SetThrottles.class) {
            return new NamespaceRequest.SetThrottles(
                    (RequestId) any(RequestId.class),
                    random.nextBoolean() ? Optional.empty() : Optional.of((long) random.nextInt(10_001)),
                    random.nextBoolean() ? Optional.empty() : Optional.of(1L + random.nextInt(10_000)),
                    random.nextBoolean() ? Optional.empty() : Optional.of((64L << 10) + random.nextInt(1 << 30)));
        } else if (kind == NamespaceRequest.SumGroups.class) {
            return new NamespaceRequest.SumGroups(
                    random.nextInt(1000), 1 + random.nextInt(NamespaceRequest.SumGroups.MAX_PAGE));
        } else if (kind == ChunkReply.LocalFiles.class) {
            return new ChunkReply.LocalFiles(
                    (ChunkId) any(ChunkId.class),
                    random.nextInt(1 << 30),
                    (String) any(String.class),
                    (String) any(String.class),
                    (String) any(String.class),
                    random.nextInt(ChunkReply.LocalFiles.MAX_HEADER + 1),
                    random.nextInt(),
                    random.nextBoolean() ? Optional.empty() : Optional.of("/run/ecfs/dn1.sock"));
        } else if (kind == RingClock.class) {
            return new RingClock(
                    (RingId) any(RingId.class),
                    1 + random.nextInt(99),
                    6,
                    3,
                    10_000,
                    random.nextInt(6),
                    random.nextInt(10_001),
                    random.nextBoolean(),
                    List.of(new RingClock.Coloured((VolumeId) any(VolumeId.class), random.nextInt(6))));
        } else if (kind == RingVolume.class) {
            RingVolume.Duty duty = (RingVolume.Duty) any(RingVolume.Duty.class);
            return new RingVolume(
                    (VolumeId) any(VolumeId.class),
                    (DatanodeId) any(DatanodeId.class),
                    Optional.of((String) any(String.class)),
                    duty == RingVolume.Duty.SPARE ? Optional.empty() : Optional.of(random.nextInt(6)),
                    duty,
                    random.nextBoolean() ? Optional.empty() : Optional.of((VolumeState) any(VolumeState.class)),
                    random.nextBoolean()
                            ? Optional.empty()
                            : Optional.of((RingVolumeStatus) any(RingVolumeStatus.class)),
                    random.nextBoolean() ? Optional.empty() : Optional.of(random.nextBoolean()));
        } else if (kind == RingSettings.class) {
            return new RingSettings(
                    6, 1 + random.nextInt(5), random.nextBoolean(), 10_000, random.nextBoolean(), random.nextBoolean());
        } else if (kind == RingVolumeChange.class) {
            return new RingVolumeChange(
                    (VolumeId) any(VolumeId.class),
                    random.nextBoolean() ? Optional.empty() : Optional.of(RingVolume.Duty.SPARE),
                    Optional.of((RingVolume.Duty) any(RingVolume.Duty.class)),
                    random.nextBoolean() ? Optional.empty() : Optional.of(random.nextInt(6)));
        } else if (kind == RingState.class) {
            return new RingState(
                    (RingId) any(RingId.class),
                    "flash" + random.nextInt(9),
                    1 + random.nextInt(99),
                    6,
                    3,
                    random.nextBoolean(),
                    10_000,
                    random.nextInt(6),
                    random.nextInt(10_001),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    List.of((RingVolume) any(RingVolume.class), (RingVolume) any(RingVolume.class)),
                    random.nextInt(9),
                    List.of(0L, 0L, 0L, 7L, 0L, 0L),
                    random.nextBoolean() ? Optional.empty() : Optional.of((String) any(String.class)));
        } else if (kind == NamespaceRequest.CreateRing.class) {
            return new NamespaceRequest.CreateRing(
                    (RequestId) any(RequestId.class),
                    "flash",
                    6,
                    random.nextBoolean() ? Optional.empty() : Optional.of(3),
                    10_000,
                    List.of((VolumeId) any(VolumeId.class)),
                    List.of());
        } else if (kind == NamespaceRequest.SetDirectoryRing.class) {
            return new NamespaceRequest.SetDirectoryRing(
                    (RequestId) any(RequestId.class),
                    new FilePath("/hot"),
                    random.nextBoolean() ? Optional.empty() : Optional.of("flash"),
                    random.nextBoolean()
                            ? Optional.empty()
                            : Optional.of(new NamespaceRequest.SetEncoding.PolicyChange(
                                    Optional.of(Policy.parse("rs-3-3-64k")))));
        } else if (kind == NamespaceRequest.FindNames.class) {
            FilePath top = (FilePath) any(FilePath.class);
            return new NamespaceRequest.FindNames(
                    top,
                    (String) any(String.class),
                    random.nextBoolean(),
                    random.nextBoolean() ? Optional.empty() : Optional.of(top.child("a")),
                    1 + random.nextInt(NamespaceRequest.FindNames.MAX_PAGE));
        } else if (kind == NamespaceRequest.FindGroups.class) {
            return new NamespaceRequest.FindGroups(List.of(new GroupId(1 + random.nextInt(99)), new GroupId(7)));
        } else if (kind == NamespaceRequest.FindPacks.class) {
            return new NamespaceRequest.FindPacks(
                    List.of(new GroupId(1 + random.nextInt(99)), new GroupId(7)),
                    random.nextBoolean() ? Optional.empty() : Optional.of(1 + random.nextInt(20)));
        } else if (kind == NamespaceRequest.ListAudit.class) {
            return new NamespaceRequest.ListAudit(
                    random.nextBoolean() ? Optional.empty() : Optional.of((AuditPlace) any(AuditPlace.class)),
                    (String) any(String.class),
                    1 + random.nextInt(NamespaceRequest.ListAudit.MAX_PAGE));
        } else if (kind == AuditPlace.class) {
            return new AuditPlace(random.nextLong(), random.nextInt(1 << 30));
        } else if (kind == GroupFile.class) {
            return random.nextBoolean()
                    ? new GroupFile(new GroupId(5), GroupFile.State.GONE, Optional.empty())
                    : new GroupFile(new GroupId(5), GroupFile.State.FOUND, Optional.of((FilePath) any(FilePath.class)));
        } else if (kind == NamespaceRequest.Balance.class) {
            return new NamespaceRequest.Balance(NamespaceRequest.Balance.Wish.BEGIN, random.nextInt(1001));
        } else if (kind == NamespaceRequest.CheckStop.class) {
            return new NamespaceRequest.CheckStop(
                    List.of((DatanodeId) any(DatanodeId.class)), random.nextInt(9), random.nextInt(9), 1);
        } else if (kind == AclEntry.class) {
            return new AclEntry(
                    (AclEntry.Scope) any(AclEntry.Scope.class), AclEntry.Type.GROUP, "ä", random.nextInt(8));
        } else if (kind == XAttr.class) {
            return new XAttr("user.a", bytes(random.nextInt(5)));
        } else if (kind == NamespaceRequest.CheckAccess.class) {
            return new NamespaceRequest.CheckAccess((FilePath) any(FilePath.class), random.nextInt(8));
        } else if (kind == String.class) {
            return "text-é" + random.nextInt(1000);
        } else if (kind == ChunkId.class) {
            return chunk(new GroupId(1 + random.nextInt(1000)));
        } else if (kind == ChunkRecord.class) {
            long bytes = random.nextInt(1 << 30);
            return new ChunkRecord(
                    (ChunkId) any(ChunkId.class), ChunkState.FINALISED, bytes, bytes / 2, -1, Stamp.NONE);
        } else if (kind == Policy.class) {
            return Policy.parse("rs-6-3-1024k");
        } else if (kind == CodeSpec.class) {
            return CodeSpec.parse("rs-6-3");
        } else if (kind == Address.class) {
            return new Address(random.nextBoolean() ? "::1" : "host.example", random.nextInt(65_536));
        } else if (kind == DatanodeId.class) {
            return new DatanodeId("dn" + random.nextInt(100));
        } else if (kind == FilePath.class) {
            return new FilePath("/ä/b" + random.nextInt(100));
        } else if (kind == RequestId.class) {
            return new RequestId("client-" + random.nextInt(100), random.nextLong());
        } else if (kind == BlockToken.class) {
            return boundToken().orElseGet(() -> token(Optional.empty()));
        } else if (kind == TokenKey.class) {
            return new TokenKey(random.nextInt(), bytes(32), random.nextLong());
        } else if (kind == SealedGroup.class) {
            GroupId group = new GroupId(9);
            return new SealedGroup(group, 77, List.of(new ChunkId(group, 0, 0), new ChunkId(group, 3, 1)));
        } else if (kind == LocatedGroup.class) {
            BlockToken token = (BlockToken) any(BlockToken.class);
            GroupId group = new GroupId(5);
            RelayToken relay = new RelayToken(group, token.stamp(), random.nextLong(), random.nextInt(), bytes(32));
            return new LocatedGroup(
                    group,
                    Policy.parse("rs-3-2-1024k"),
                    -1,
                    List.of(),
                    token,
                    random.nextBoolean() ? Optional.empty() : Optional.of(relay),
                    random.nextBoolean() ? Optional.empty() : Optional.of(new RingId(1 + random.nextInt(99))));
        } else if (kind == RelayToken.class) {
            return new RelayToken(new GroupId(7), random.nextInt(), random.nextLong(), random.nextInt(), bytes(32));
        } else if (kind == NamespaceRequest.CommitFiles.class) {
            return new NamespaceRequest.CommitFiles(
                    (RequestId) any(RequestId.class),
                    new InodeId(5),
                    List.of((PackedFile) any(PackedFile.class), (PackedFile) any(PackedFile.class)));
        } else if (kind == PatchGroup.class) {
            Optional<Long> index = random.nextBoolean() ? Optional.empty() : Optional.of(random.nextLong() >>> 1);
            return new PatchGroup(
                    new GroupId(1 + random.nextInt(99)), index, random.nextLong() >>> 1, random.nextInt(1 << 30));
        } else if (kind == NamespaceRequest.SetConversionRules.class) {
            return new NamespaceRequest.SetConversionRules(
                    (RequestId) any(RequestId.class),
                    new FilePath("/logs"),
                    List.of(
                            new ConversionRule(1 + random.nextInt(99), Policy.parse("rs-3-2-64k")),
                            new ConversionRule(100 + random.nextInt(99), Policy.parse("rs-6-3-64k"))));
        } else if (kind == DatanodeOrder.Rewrite.class) {
            return rewrite();
        } else if (kind == ConversionRule.class) {
            return new ConversionRule(random.nextInt(99), Policy.parse("rs-3-2-64k"));
        } else if (kind == PackedFile.class) {
            GroupId group = new GroupId(1 + random.nextInt(99));
            return new PackedFile(
                    new InodeId(1 + random.nextInt(99)),
                    List.of(
                            new PackedFile.Piece(group, random.nextInt(1 << 30), 1 + random.nextInt(9)),
                            new PackedFile.Piece(group, 0, 1)));
        } else if (kind == NamespaceRequest.LocateAll.class) {
            return new NamespaceRequest.LocateAll(
                    List.of((FilePath) any(FilePath.class), (FilePath) any(FilePath.class)), random.nextInt(99));
        } else if (kind == NamespaceReply.LocatedAll.class) {
            return new NamespaceReply.LocatedAll(List.of(
                    NamespaceReply.LocatedAll.Answer.of((NamespaceReply.Located) any(NamespaceReply.Located.class)),
                    NamespaceReply.LocatedAll.Answer.of(new EcfsException(ErrorCode.NOT_FOUND, "/ä is not there"))));
        } else if (kind == CancelCalls.class) {
            return new CancelCalls(random.longs(1 + random.nextInt(4)).boxed().toList());
        } else if (kind == ChunkReads.class) {
            return new ChunkReads(Stream.generate(() -> (ChunkRequest.ReadChunk) any(ChunkRequest.ReadChunk.class))
                    .limit(1 + random.nextInt(4))
                    .toList());
        } else if (kind == ChunkRequest.PutChunk.class) {
            return new ChunkRequest.PutChunk(
                    new ChunkId(new GroupId(8), 2, 0),
                    (VolumeId) any(VolumeId.class),
                    Policy.parse("rs-3-2-1024k"),
                    random.nextLong(),
                    33_312,
                    100_000,
                    random.nextBoolean(),
                    (BlockToken) any(BlockToken.class));
        } else if (kind == TailRecord.class) {
            return new TailRecord(random.nextInt(99), random.nextInt(1 << 30), 512, TailForm.CODED);
        } else if (kind == TailCoverage.Range.class) {
            int from = random.nextInt(1 << 30);
            return new TailCoverage.Range(from, from + 1L + random.nextInt(100));
        } else if (kind == ChunkRequest.WriteTail.class) {
            TailRecord record = (TailRecord) any(TailRecord.class);
            return new ChunkRequest.WriteTail(
                    (ChunkId) any(ChunkId.class),
                    random.nextLong(),
                    record,
                    record.offset() / 2,
                    random.nextBoolean(),
                    (SentBefore) any(SentBefore.class),
                    boundToken());
        } else if (kind == SentBefore.class) {
            return new SentBefore(random.nextInt(1 << 30), random.nextInt(100) - 1);
        } else if (kind == ChunkReply.TailBytes.class) {
            return new ChunkReply.TailBytes((ChunkId) any(ChunkId.class), TailForm.CODED, random.nextInt(99), 60, 20);
        } else if (kind == ChunkRequest.WriteCells.class) {
            return new ChunkRequest.WriteCells(
                    (ChunkId) any(ChunkId.class),
                    random.nextLong(),
                    4096L * random.nextInt(1 << 20),
                    5,
                    random.nextInt(2),
                    boundToken());
        } else if (kind == WriteShare.class) {
            WriteSide side = random.nextBoolean() ? WriteSide.CLIENT : WriteSide.MASTER;
            return new WriteShare(Policy.parse("rs-3-2-64k"), side, random.nextInt(99), 9, 8, 1, 2, 3, 4, 5, 6, 7);
        } else if (kind == OptionalInt.class) {
            return random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(1 << 30));
        } else if (kind == ChunkRequest.RelayCell.class) {
            return new ChunkRequest.RelayCell(
                    (ChunkId) any(ChunkId.class),
                    random.nextLong(),
                    4096L * random.nextInt(1 << 20),
                    5,
                    random.nextInt(2),
                    random.nextBoolean(),
                    boundToken());
        } else if (kind == ChunkRequest.BeginRelay.class) {
            GroupId group = new GroupId(7);
            return new ChunkRequest.BeginRelay(
                    new ChunkId(group, 1, 0),
                    Policy.parse("rs-3-2-64k"),
                    random.nextLong(),
                    List.of(
                            new RelayTarget(new ChunkId(group, 1, 0), (Address) any(Address.class)),
                            new RelayTarget(new ChunkId(group, 4, 2), (Address) any(Address.class))),
                    (RelayToken) any(RelayToken.class),
                    (BlockToken) any(BlockToken.class));
        } else if (kind == RelayTimes.class) {
            return new RelayTimes(
                    random.nextInt(1 << 30), random.nextInt(9), random.nextInt(9), random.nextInt(1 << 30));
        }
        return null;
    }

    private BlockToken token(Optional<BlockToken.Scope> scope) {
        BlockToken.Right right = random.nextBoolean() ? BlockToken.Right.READ : BlockToken.Right.WRITE;
        return new BlockToken(new GroupId(7), Stamp.NONE, right, random.nextLong(), random.nextInt(), scope, bytes(32));
    }

    /** Of version 2, or none. */
    private Optional<BlockToken> boundToken() {
        return random.nextBoolean()
                ? Optional.empty()
                : Optional.of(token(Optional.of(new BlockToken.Scope(
                        "c-ä", random.nextInt(9) - 1, random.nextInt(9) - 1, random.nextInt(9), 9, "datanode dn1"))));
    }

    private ChunkId chunk(GroupId group) {
        return new ChunkId(group, random.nextInt(200), random.nextInt(3));
    }

    private byte[] bytes(int n) {
        byte[] bytes = new byte[n];
        random.nextBytes(bytes);
        return bytes;
    }
}

package io.ecfs.wire.codec;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Failure;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Fixed binary heads of the calls that a namenode answers by the thousand; big endian. The log carries the same bytes.
 *
 * <pre>
 *   text       = number of bytes | UTF-8
 *   number     = seven bits a byte, low first, the top bit says that more follow
 *   flag       = u8 (0, 1)                          T*: number of them | each            T?: flag | T when it is 1
 *   request    = text client | u64 sequence        (two numbers in one: RequestId)
 *   sealed     = u64 group | u64 length | chunk*
 *   status     = text path | u64 inode | flag directory | u64 length | flag open | u32 mode, bits 16 and 17: side
 *                (0 none, 1 client, 2 master, 3 auto), bit 18: a limit of packing follows, bit 19: a ring follows
 *                | text owner | text group | u64 modified ms | u64 accessed ms
 *                | text policy | u64 limit of packing, with bit 18 | u32 ring, with bit 19
 *   extent     = u64 file offset | u64 length | u64 group | u64 group offset
 *   patch      = u64 group | u64 index offset + 1 (0: none) | u64 length | u64 live bytes
 *   location   = chunk | u32 volume | text datanode | text host | u16 port | text rack
 *                | u8 state (0 live, 1 missing, 2 unreachable, 3 resting)
 *   group      = u64 group | text policy | u64 length (-1: open; -2: open, with a relay token) | location* | token
 *                | relay, when the length is -2 | u32 ring, when 2^30 is added to the number of locations
 *   relay      = u64 expiry ms | u32 key | 32 bytes HMAC-SHA256; group and stamp are those of the token
 *
 *   GetStatus    = text path                                     Done      = nothing
 *   ListStatus   = text path | text start after | u32 limit      Status    = status
 *   Locate       = text path | u64 offset | u64 length           Listing   = status* | flag more
 *   LocateAll    = text path* | u64 length                       LocatedAll = (flag located | Located,
 *   Mkdirs       = request | text path | u32 mode | flag parents   or text code | text message | text hint)*
 *   Create       = request | text path | u32 mode | flag overwrite | flag parents | text? policy
 *   AddGroup     = request | u64 file | sealed? | text* avoid    Created   = status | group
 *   SealGroup    = request | u64 file | sealed                   Allocated = group
 *   CompleteFile = request | u64 file | sealed? | flag unused
 *                                                Located   = status | extent* | group*, with 2^30 added to the number
 *                                                            of extents: | u64 version | u64 nonce | patch*
 *                                                            | group* of patches
 *   Rename       = request | text from | text to | flag overwrite
 *   Delete       = request | text path | flag recursive
 *   ReplaceLayout = request | u64 file | u64 version | u64 length | flag, extent* | patch*
 * </pre>
 *
 * {@code chunk} and {@code token} are those of {@link HotHeads}.
 */
final class NamespaceHeads {
    /** In an extent's group offset: its origin follows. */
    private static final long WRITTEN_ELSEWHERE = Long.MIN_VALUE;

    /** In a status: the side is above the mode. */
    private static final int MODE_BITS = 16;

    private static final int SIDE_BITS = 2;

    /** In a status, above the side: a limit of packing follows. */
    private static final int PACKED = 1 << (MODE_BITS + SIDE_BITS);

    /** In a status, above that: a ring follows. */
    private static final int RINGED = PACKED << 1;

    /** Encoding sides; 0: none is set. */
    private static final int CLIENT = 1;

    private static final int MASTER = 2;
    private static final int AUTO = 3;

    /** In the number of the extents of a location: patches follow. */
    private static final int PATCHED = 1 << 30;

    /** In the number of the locations of a group: its ring follows. */
    private static final int IN_RING = 1 << 30;

    /** Length of a group that is open, and has a relay token. */
    private static final long RELAYED = -2;

    private static final int LIVE = 0;
    private static final int MISSING = 1;
    private static final int UNREACHABLE = 2;
    private static final int LAST_RESORT = 3;

    private static final FixedHeads<HeadWriter, HeadReader> HEADS = FixedHeads.<HeadWriter, HeadReader>builder()
            .head(
                    NamespaceRequest.GetStatus.class,
                    (get, out) -> out.text(get.path().text()),
                    in -> new NamespaceRequest.GetStatus(in.path()))
            .head(
                    NamespaceRequest.ListStatus.class,
                    (list, out) ->
                            out.text(list.path().text()).text(list.startAfter()).i32(list.limit()),
                    in -> new NamespaceRequest.ListStatus(in.path(), in.text(), in.i32()))
            .head(
                    NamespaceRequest.Locate.class,
                    (locate, out) ->
                            out.text(locate.path().text()).i64(locate.offset()).i64(locate.length()),
                    in -> new NamespaceRequest.Locate(in.path(), in.i64(), in.i64()))
            .head(
                    NamespaceRequest.LocateAll.class,
                    NamespaceHeads::write,
                    in -> new NamespaceRequest.LocateAll(in.list(in::path), in.i64()))
            .head(
                    NamespaceRequest.Mkdirs.class,
                    NamespaceHeads::write,
                    in -> new NamespaceRequest.Mkdirs(request(in), in.path(), in.i32(), in.flag()))
            .head(NamespaceRequest.Create.class, NamespaceHeads::write, NamespaceHeads::create)
            .head(
                    NamespaceRequest.CreateWithoutGroup.class,
                    (create, out) -> write(create.create(), out),
                    in -> new NamespaceRequest.CreateWithoutGroup(create(in)))
            .head(NamespaceRequest.CommitFiles.class, NamespaceHeads::write, NamespaceHeads::commitFiles)
            .head(NamespaceRequest.AddGroup.class, NamespaceHeads::write, NamespaceHeads::addGroup)
            .head(
                    NamespaceRequest.SealGroup.class,
                    NamespaceHeads::write,
                    in -> new NamespaceRequest.SealGroup(request(in), new InodeId(in.i64()), sealed(in)))
            .head(NamespaceRequest.CompleteFile.class, NamespaceHeads::write, NamespaceHeads::completeFile)
            .head(NamespaceRequest.ReplaceLayout.class, NamespaceHeads::write, NamespaceHeads::replaceLayout)
            .head(
                    NamespaceRequest.Rename.class,
                    NamespaceHeads::write,
                    in -> new NamespaceRequest.Rename(request(in), in.path(), in.path(), in.flag()))
            .head(
                    NamespaceRequest.Delete.class,
                    NamespaceHeads::write,
                    in -> new NamespaceRequest.Delete(request(in), in.path(), in.flag()))
            .head(NamespaceReply.Done.class, (done, out) -> {}, in -> new NamespaceReply.Done())
            .head(
                    NamespaceReply.Status.class,
                    (reply, out) -> status(reply.status(), out),
                    in -> new NamespaceReply.Status(status(in)))
            .head(
                    NamespaceReply.Listing.class,
                    NamespaceHeads::write,
                    in -> new NamespaceReply.Listing(in.list(() -> status(in)), in.flag()))
            .head(
                    NamespaceReply.Created.class,
                    NamespaceHeads::write,
                    in -> new NamespaceReply.Created(status(in), group(in)))
            .head(
                    NamespaceReply.Allocated.class,
                    (allocated, out) -> group(allocated.group(), out),
                    in -> new NamespaceReply.Allocated(group(in)))
            .head(NamespaceReply.Located.class, NamespaceHeads::write, NamespaceHeads::located)
            .head(
                    NamespaceReply.LocatedAll.class,
                    NamespaceHeads::write,
                    in -> new NamespaceReply.LocatedAll(in.list(() -> answer(in))))
            .build();

    private NamespaceHeads() {}

    /** Returns whether messages of this kind have a fixed head. */
    static boolean covers(Class<? extends Message> kind) {
        return HEADS.covers(kind);
    }

    static void encode(Message message, HeadWriter out) {
        HEADS.encode(message, out);
    }

    /** @throws IllegalArgumentException or IndexOutOfBoundsException when the bytes are no such head */
    static Message decode(Class<? extends Message> kind, ByteBuf bytes) {
        Message message = HEADS.decode(kind, new HeadReader(bytes));
        if (bytes.isReadable()) {
            throw new IllegalArgumentException(bytes.readableBytes() + " bytes too many");
        }
        return message;
    }

    private static void write(NamespaceRequest.LocateAll all, HeadWriter out) {
        out.number(all.paths().size());
        all.paths().forEach(path -> out.text(path.text()));
        out.i64(all.length());
    }

    private static void write(NamespaceRequest.Mkdirs mkdirs, HeadWriter out) {
        request(mkdirs.request(), out);
        out.text(mkdirs.path().text()).i32(mkdirs.mode()).flag(mkdirs.createParents());
    }

    private static void write(NamespaceRequest.Create create, HeadWriter out) {
        request(create.request(), out);
        out.text(create.path().text()).i32(create.mode()).flag(create.overwrite());
        out.flag(create.createParents()).flag(create.policy().isPresent());
        create.policy().ifPresent(policy -> out.text(policy.name()));
    }

    private static NamespaceRequest.Create create(HeadReader in) {
        RequestId request = request(in);
        return new NamespaceRequest.Create(
                request,
                in.path(),
                in.i32(),
                in.flag(),
                in.flag(),
                in.flag() ? Optional.of(in.policy()) : Optional.empty());
    }

    private static void write(NamespaceRequest.CommitFiles commit, HeadWriter out) {
        request(commit.request(), out);
        out.i64(commit.pack().value()).number(commit.files().size());
        for (PackedFile file : commit.files()) {
            out.i64(file.file().value()).number(file.pieces().size());
            for (PackedFile.Piece piece : file.pieces()) {
                out.i64(piece.group().value()).i64(piece.offset()).i64(piece.length());
            }
        }
    }

    private static NamespaceRequest.CommitFiles commitFiles(HeadReader in) {
        RequestId request = request(in);
        return new NamespaceRequest.CommitFiles(
                request,
                new InodeId(in.i64()),
                in.list(() -> new PackedFile(
                        new InodeId(in.i64()),
                        in.list(() -> new PackedFile.Piece(new GroupId(in.i64()), in.i64(), in.i64())))));
    }

    private static void write(NamespaceRequest.AddGroup add, HeadWriter out) {
        request(add.request(), out);
        out.i64(add.file().value());
        sealed(add.previous(), out);
        out.number(add.avoid().size());
        add.avoid().forEach(datanode -> out.text(datanode.name()));
    }

    private static NamespaceRequest.AddGroup addGroup(HeadReader in) {
        RequestId request = request(in);
        return new NamespaceRequest.AddGroup(
                request, new InodeId(in.i64()), maybeSealed(in), in.list(() -> new DatanodeId(in.text())));
    }

    private static void write(NamespaceRequest.SealGroup seal, HeadWriter out) {
        request(seal.request(), out);
        out.i64(seal.file().value());
        sealed(seal.sealed(), out);
    }

    private static void write(NamespaceRequest.CompleteFile complete, HeadWriter out) {
        request(complete.request(), out);
        out.i64(complete.file().value());
        sealed(complete.last(), out);
        out.flag(complete.unused());
    }

    private static NamespaceRequest.CompleteFile completeFile(HeadReader in) {
        RequestId request = request(in);
        return new NamespaceRequest.CompleteFile(request, new InodeId(in.i64()), maybeSealed(in), in.flag());
    }

    private static void write(NamespaceRequest.Rename rename, HeadWriter out) {
        request(rename.request(), out);
        out.text(rename.from().text()).text(rename.to().text()).flag(rename.overwrite());
    }

    private static void write(NamespaceRequest.Delete delete, HeadWriter out) {
        request(delete.request(), out);
        out.text(delete.path().text()).flag(delete.recursive());
    }

    private static void write(NamespaceReply.Listing listing, HeadWriter out) {
        out.number(listing.entries().size());
        for (FileStatus entry : listing.entries()) {
            status(entry, out);
        }
        out.flag(listing.more());
    }

    private static void write(NamespaceReply.Created created, HeadWriter out) {
        status(created.status(), out);
        group(created.first(), out);
    }

    private static void write(NamespaceReply.LocatedAll all, HeadWriter out) {
        out.number(all.answers().size());
        all.answers().forEach(answer -> answer(answer, out));
    }

    private static void answer(NamespaceReply.LocatedAll.Answer answer, HeadWriter out) {
        out.flag(answer.located().isPresent());
        answer.located().ifPresent(located -> write(located, out));
        answer.failure()
                .ifPresent(failure ->
                        out.text(failure.code().name()).text(failure.message()).text(failure.hint()));
    }

    private static NamespaceReply.LocatedAll.Answer answer(HeadReader in) {
        return in.flag()
                ? new NamespaceReply.LocatedAll.Answer(Optional.of(located(in)), Optional.empty())
                : new NamespaceReply.LocatedAll.Answer(
                        Optional.empty(), Optional.of(new Failure(code(in.text()), in.text(), in.text())));
    }

    /** One of a newer peer is read as {@code INTERNAL}. */
    private static ErrorCode code(String name) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.name().equals(name))
                .findFirst()
                .orElse(ErrorCode.INTERNAL);
    }

    private static NamespaceReply.Located located(HeadReader in) {
        FileStatus status = status(in);
        int head = in.number();
        List<Extent> extents = in.list(head & ~PATCHED, () -> extent(in));
        List<LocatedGroup> groups = in.list(() -> group(in));
        return new NamespaceReply.Located(
                status,
                extents,
                groups,
                (head & PATCHED) == 0
                        ? Optional.empty()
                        : Optional.of(new NamespaceReply.Patches(
                                in.i64(), in.i64(), in.list(() -> patch(in)), in.list(() -> group(in)))));
    }

    private static void write(NamespaceReply.Located located, HeadWriter out) {
        status(located.status(), out);
        out.number(located.extents().size() | (located.patches().isPresent() ? PATCHED : 0));
        located.extents().forEach(extent -> extent(extent, out));
        groups(located.groups(), out);
        located.patches().ifPresent(patches -> {
            patches(patches.sealed(), out.i64(patches.version()).i64(patches.nonce()));
            groups(patches.groups(), out);
        });
    }

    private static void groups(List<LocatedGroup> groups, HeadWriter out) {
        out.number(groups.size());
        groups.forEach(group -> group(group, out));
    }

    private static void patches(List<PatchGroup> patches, HeadWriter out) {
        out.number(patches.size());
        for (PatchGroup patch : patches) {
            out.i64(patch.group().value())
                    .i64(patch.indexOffset().map(offset -> offset + 1).orElse(0L))
                    .i64(patch.length())
                    .i64(patch.liveBytes());
        }
    }

    private static PatchGroup patch(HeadReader in) {
        GroupId group = new GroupId(in.i64());
        long index = in.i64();
        return new PatchGroup(group, index == 0 ? Optional.empty() : Optional.of(index - 1), in.i64(), in.i64());
    }

    private static void write(NamespaceRequest.ReplaceLayout replace, HeadWriter out) {
        request(replace.request(), out);
        out.i64(replace.file().value()).i64(replace.version()).i64(replace.length());
        out.flag(replace.extents().isPresent());
        replace.extents().ifPresent(extents -> {
            out.number(extents.size());
            extents.forEach(extent -> extent(extent, out));
        });
        patches(replace.patches(), out);
    }

    private static NamespaceRequest.ReplaceLayout replaceLayout(HeadReader in) {
        return new NamespaceRequest.ReplaceLayout(
                request(in),
                new InodeId(in.i64()),
                in.i64(),
                in.i64(),
                in.flag() ? Optional.of(in.list(() -> extent(in))) : Optional.empty(),
                in.list(() -> patch(in)));
    }

    private static void extent(Extent extent, HeadWriter out) {
        long elsewhere = extent.origin().isPresent() ? WRITTEN_ELSEWHERE : 0;
        out.i64(extent.fileOffset()).i64(extent.length());
        out.i64(extent.group().value()).i64(extent.groupOffset() | elsewhere);
        extent.origin().ifPresent(origin -> out.i64(origin.group().value()).i64(origin.offset()));
    }

    private static Extent extent(HeadReader in) {
        long fileOffset = in.i64();
        long length = in.i64();
        GroupId group = new GroupId(in.i64());
        long groupOffset = in.i64();
        Optional<Extent.Origin> origin = (groupOffset & WRITTEN_ELSEWHERE) == 0
                ? Optional.empty()
                : Optional.of(new Extent.Origin(new GroupId(in.i64()), in.i64()));
        return new Extent(fileOffset, length, group, groupOffset & ~WRITTEN_ELSEWHERE, origin);
    }

    private static void request(RequestId request, HeadWriter out) {
        out.text(request.client()).i64(request.sequence());
    }

    private static RequestId request(HeadReader in) {
        return new RequestId(in.text(), in.i64());
    }

    private static void sealed(Optional<SealedGroup> sealed, HeadWriter out) {
        out.flag(sealed.isPresent());
        sealed.ifPresent(present -> sealed(present, out));
    }

    private static void sealed(SealedGroup sealed, HeadWriter out) {
        out.i64(sealed.group().value()).i64(sealed.length());
        out.number(sealed.finished().size());
        sealed.finished().forEach(chunk -> HotHeads.chunk(chunk, out.bytes()));
    }

    private static Optional<SealedGroup> maybeSealed(HeadReader in) {
        return in.flag() ? Optional.of(sealed(in)) : Optional.empty();
    }

    private static SealedGroup sealed(HeadReader in) {
        return new SealedGroup(new GroupId(in.i64()), in.i64(), in.list(() -> HotHeads.chunk(in.bytes())));
    }

    private static void status(FileStatus status, HeadWriter out) {
        out.text(status.path().text()).i64(status.inode().value()).flag(status.directory());
        out.i64(status.length()).flag(status.open());
        out.i32(status.mode()
                | status.encoding().map(NamespaceHeads::sideNumber).orElse(0) << MODE_BITS
                | (status.packedUpTo().isPresent() ? PACKED : 0)
                | (status.ring().isPresent() ? RINGED : 0));
        out.text(status.owner()).text(status.group());
        out.i64(status.modifiedMillis()).i64(status.accessedMillis());
        out.text(status.policy().name());
        status.packedUpTo().ifPresent(out::i64);
        status.ring().ifPresent(ring -> out.i32(ring.value()));
    }

    private static FileStatus status(HeadReader in) {
        FilePath path = in.path();
        InodeId inode = new InodeId(in.i64());
        boolean directory = in.flag();
        long length = in.i64();
        boolean open = in.flag();
        int mode = in.i32();
        return new FileStatus(
                path,
                inode,
                directory,
                length,
                open,
                mode & (1 << MODE_BITS) - 1,
                in.text(),
                in.text(),
                in.i64(),
                in.i64(),
                in.policy(),
                side((mode & (PACKED - 1)) >>> MODE_BITS),
                (mode & PACKED) == 0 ? Optional.empty() : Optional.of(in.i64()),
                (mode & RINGED) == 0 ? Optional.empty() : Optional.of(new RingId(in.i32())));
    }

    private static int sideNumber(EncodingSide side) {
        return switch (side) {
            case CLIENT -> CLIENT;
            case MASTER -> MASTER;
            case AUTO -> AUTO;
        };
    }

    private static Optional<EncodingSide> side(int number) {
        return switch (number) {
            case 0 -> Optional.empty();
            case CLIENT -> Optional.of(EncodingSide.CLIENT);
            case MASTER -> Optional.of(EncodingSide.MASTER);
            case AUTO -> Optional.of(EncodingSide.AUTO);
            default -> throw new IllegalArgumentException("no encoding side has the number " + number);
        };
    }

    private static void group(LocatedGroup group, HeadWriter out) {
        out.i64(group.group().value()).text(group.policy().name());
        out.i64(group.relay().isPresent() ? RELAYED : group.length());
        out.number(group.chunks().size() + (group.ring().isPresent() ? IN_RING : 0));
        for (ChunkLocation location : group.chunks()) {
            HotHeads.chunk(location.chunk(), out.bytes());
            out.i32(location.volume().value()).text(location.datanode().name());
            out.text(location.address().host()).u16(location.address().port());
            out.text(location.rack());
            out.u8(
                    switch (location.state()) {
                        case LIVE -> LIVE;
                        case MISSING -> MISSING;
                        case UNREACHABLE -> UNREACHABLE;
                        case LAST_RESORT -> LAST_RESORT;
                    });
        }
        HotHeads.token(group.token(), out.bytes());
        group.relay().ifPresent(relay -> {
            out.i64(relay.expiresAtMillis()).i32(relay.keyId());
            out.bytes().writeBytes(relay.signature());
        });
        group.ring().ifPresent(ring -> out.i32(ring.value()));
    }

    private static LocatedGroup group(HeadReader in) {
        GroupId group = new GroupId(in.i64());
        Policy policy = in.policy();
        long length = in.i64();
        int head = in.number();
        List<ChunkLocation> chunks = in.list(head & ~IN_RING, () -> location(in));
        BlockToken token = HotHeads.token(in.bytes());
        Optional<RelayToken> relay =
                length == RELAYED ? Optional.of(relay(group, token.stamp(), in)) : Optional.empty();
        Optional<RingId> ring = (head & IN_RING) == 0 ? Optional.empty() : Optional.of(new RingId(in.i32()));
        return new LocatedGroup(
                group, policy, relay.isPresent() ? LocatedGroup.OPEN : length, chunks, token, relay, ring);
    }

    private static RelayToken relay(GroupId group, int stamp, HeadReader in) {
        long expires = in.i64();
        int key = in.i32();
        byte[] signature = new byte[BlockToken.SIGNATURE_BYTES];
        in.bytes().readBytes(signature);
        return new RelayToken(group, stamp, expires, key, signature);
    }

    private static ChunkLocation location(HeadReader in) {
        ChunkId chunk = HotHeads.chunk(in.bytes());
        VolumeId volume = new VolumeId(in.i32());
        DatanodeId datanode = new DatanodeId(in.text());
        Address address = new Address(in.text(), in.u16());
        String rack = in.text();
        int state = in.u8();
        return new ChunkLocation(
                chunk,
                volume,
                datanode,
                address,
                rack,
                switch (state) {
                    case LIVE -> ChunkLocation.State.LIVE;
                    case MISSING -> ChunkLocation.State.MISSING;
                    case UNREACHABLE -> ChunkLocation.State.UNREACHABLE;
                    case LAST_RESORT -> ChunkLocation.State.LAST_RESORT;
                    default -> throw new IllegalArgumentException("no state of a chunk has the number " + state);
                });
    }
}

package io.ecfs.tail;

import io.ecfs.code.ErasureCode;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailSource;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The tail logs of a group's chunks, each behind an address of its own, which answers as a datanode does. */
final class TailPeers implements Caller {
    private static final GroupId GROUP = new GroupId(7);
    static final BlockToken TOKEN =
            new BlockToken(GROUP, Stamp.NONE, BlockToken.Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);

    /** @param bytes mirrored ones, or the chunk's cell */
    private record Stored(TailForm form, long offset, int length, byte[] bytes) {
        boolean covers(long position) {
            return offset <= position && position < offset + length;
        }

        TailCoverage.Range range() {
            return new TailCoverage.Range(offset, offset + length);
        }
    }

    private final Policy policy;
    private final ErasureCode code;
    private final SortedMap<Integer, List<Stored>> logs = new TreeMap<>();
    private final Set<Integer> broken = new HashSet<>();
    private final Set<Integer> emptied = new HashSet<>();
    private final List<ChunkRequest.ReadTail> calls = new ArrayList<>();

    TailPeers(Policy policy) {
        this.policy = policy;
        this.code = ErasureCodes.create(policy.code(), Kernels.java());
    }

    ErasureCode code() {
        return code;
    }

    /** Calls that arrived so far, in order. */
    List<ChunkRequest.ReadTail> calls() {
        return calls;
    }

    /** The group's user data: each byte is a function of its position that does not repeat. */
    static byte[] data(long from, long to) {
        byte[] bytes = new byte[(int) (to - from)];
        for (int i = 0; i < bytes.length; i++) {
            int mixed = (int) (from + i + 1) * 0x9e3779b1;
            bytes[i] = (byte) (mixed ^ mixed >>> 13 ^ mixed >>> 24);
        }
        return bytes;
    }

    void mirrored(long from, long to, int... chunks) {
        for (int index : chunks) {
            store(index, new Stored(TailForm.MIRRORED, from, (int) (to - from), data(from, to)));
        }
    }

    /** On these chunks their cells of the coded record of [from, to). */
    void coded(long from, long to, Collection<Integer> chunks) {
        GroupLayout layout = new GroupLayout(policy, to - from);
        ByteBuffer user = ByteBuffer.wrap(data(from, to));
        ByteBuffer[] cells = new ByteBuffer[policy.chunks()];
        for (int index = 0; index < cells.length; index++) {
            cells[index] = ByteBuffer.allocateDirect(layout.tailCellBytes());
            if (index < policy.dataChunks()) {
                byte[] part = new byte[Math.min(layout.tailCellBytes(), user.remaining())];
                user.get(part);
                cells[index].duplicate().put(part);
            }
        }
        code.encode(
                Arrays.copyOf(cells, policy.dataChunks()),
                Arrays.copyOfRange(cells, policy.dataChunks(), policy.chunks()));
        for (int index : chunks) {
            byte[] stored = new byte[(int) layout.chunkBytes(index)];
            cells[index].duplicate().get(stored);
            store(index, new Stored(TailForm.CODED, from, (int) (to - from), stored));
        }
    }

    /** A cell that is one byte shorter than the record's length asks for. */
    void codedTooShort(long from, long to, int index) {
        coded(from, to, List.of(index));
        List<Stored> log = logs.get(index);
        Stored whole = log.remove(log.size() - 1);
        store(
                index,
                new Stored(TailForm.CODED, from, whole.length, Arrays.copyOf(whole.bytes, whole.bytes.length - 1)));
    }

    private void store(int index, Stored stored) {
        logs.computeIfAbsent(index, i -> new ArrayList<>()).add(stored);
    }

    /** The chunks' datanodes do not answer from now on. */
    void fail(int... chunks) {
        Arrays.stream(chunks).forEach(broken::add);
    }

    /** The chunks' logs have nothing any more, though it is announced. */
    void empty(int... chunks) {
        Arrays.stream(chunks).forEach(emptied::add);
    }

    /** What a reader is given to read from: all chunks that have records. */
    List<TailSource> sources() {
        List<TailSource> sources = new ArrayList<>();
        logs.forEach((index, log) -> sources.add(new TailSource(
                new ChunkLocation(
                        new ChunkId(GROUP, index, 0),
                        new VolumeId(index + 1),
                        new DatanodeId("dn" + index),
                        address(index),
                        "/rack",
                        ChunkLocation.State.LIVE),
                new TailCoverage(ranges(log, TailForm.MIRRORED), ranges(log, TailForm.CODED)))));
        return sources;
    }

    private static List<TailCoverage.Range> ranges(List<Stored> log, TailForm form) {
        return log.stream().filter(s -> s.form == form).map(Stored::range).toList();
    }

    private static Address address(int index) {
        return new Address("dn" + index, 9000);
    }

    @Override
    public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        ChunkRequest.ReadTail read = (ChunkRequest.ReadTail) request;
        calls.add(read);
        int index = read.chunk().index();
        boolean known = to.equals(address(index))
                && read.volume().value() == index + 1
                && read.token().equals(TOKEN);
        if (!known || broken.contains(index)) {
            return CompletableFuture.failedFuture(
                    new EcfsException(ErrorCode.UNREACHABLE, "no connection to " + to + " for " + read));
        }
        return CompletableFuture.completedFuture(answer(read, emptied.contains(index) ? List.of() : logs.get(index)));
    }

    private static Envelope answer(ChunkRequest.ReadTail read, List<Stored> log) {
        Map<TailForm, Stored> found = new TreeMap<>();
        log.stream().filter(stored -> stored.covers(read.from())).forEach(stored -> found.put(stored.form, stored));
        if (found.containsKey(TailForm.MIRRORED)) {
            Stored stored = found.get(TailForm.MIRRORED);
            int skipped = (int) (read.from() - stored.offset);
            int bytes = Math.min(read.most(), stored.length - skipped);
            return envelope(
                    new ChunkReply.TailBytes(read.chunk(), TailForm.MIRRORED, read.from(), bytes, bytes),
                    Arrays.copyOfRange(stored.bytes, skipped, skipped + bytes));
        }
        if (found.containsKey(TailForm.CODED)) {
            Stored stored = found.get(TailForm.CODED);
            return envelope(
                    new ChunkReply.TailBytes(
                            read.chunk(), TailForm.CODED, stored.offset, stored.length, stored.bytes.length),
                    stored.bytes);
        }
        return envelope(new ChunkReply.TailBytes(read.chunk(), TailForm.MIRRORED, read.from(), 0, 0), new byte[0]);
    }

    private static Envelope envelope(ChunkReply.TailBytes head, byte[] bytes) {
        ByteBuf payload = Unpooled.buffer(ChunkPayload.payloadBytes(bytes.length));
        payload.writeZero(ChunkPayload.checksumBytes(bytes.length)).writeBytes(bytes);
        ChunkPayload.seal(payload, bytes.length);
        return new Envelope(head, payload);
    }

    @Override
    public void close() {}
}

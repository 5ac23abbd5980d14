package io.ecfs.datanode.server;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.io.FileRegion;
import io.ecfs.datanode.store.queue.VolumeTask;
import io.ecfs.datanode.store.visit.NeighbourReads;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.TokenUse;
import io.ecfs.transfer.ReadRange;
import io.ecfs.transfer.ReadVisits;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Answers reads of chunks. Those of one message visit each volume once, and neighbours in one chunk are read from the
 * disk at once ({@link NeighbourReads}); one that has to wait for its buffer goes by itself when it has it, one that
 * fails concerns no other, and one that is called off before it has begun does not touch the disk.
 */
final class ReadService {
    /**
     * Reads from this size on are sent from the file; of smaller ones a copy costs less than the calls that spare it.
     */
    private static final int SENT_FROM_FILES = 64 << 10;

    private final Volumes volumes;
    private final BlockTokenVerifier tokens;
    private final BufferPool readBuffers;
    private final int maxReadBytes;
    private final ChunkChangeNotifier notifier;
    private final ReadVisits rule;

    ReadService(
            Volumes volumes,
            BlockTokenVerifier tokens,
            BufferPool readBuffers,
            int maxReadBytes,
            ChunkChangeNotifier notifier) {
        this.volumes = volumes;
        this.tokens = tokens;
        this.readBuffers = readBuffers;
        this.maxReadBytes = maxReadBytes;
        this.notifier = notifier;
        this.rule = ReadVisits.usual(maxReadBytes);
    }

    /** Pieces of one message that are ready for their volumes. */
    private static final class Visits implements PendingRead.Way {
        private final Map<ServedVolume, List<VolumeTask<?>>> pieces = new LinkedHashMap<>();
        private final Map<Place, NeighbourReads> neighbours = new HashMap<>();

        @Override
        public void take(ServedVolume target, VolumeTask<?> piece) {
            pieces.computeIfAbsent(target, t -> new ArrayList<>()).add(piece);
        }

        void begin() {
            pieces.forEach((target, together) -> target.queue().submit(together));
        }
    }

    /** How a read gets its bytes, and its way to the volume. */
    private interface Source extends PendingRead.Way {
        ReadRange read(ByteBuf into) throws EcfsException;
    }

    /** Reads the chunk by itself. */
    private record Alone(ChunkRequest.ReadChunk read, ServedVolume target, PendingRead.Way way) implements Source {
        @Override
        public void take(ServedVolume to, VolumeTask<?> piece) {
            way.take(to, piece);
        }

        @Override
        public ReadRange read(ByteBuf into) throws EcfsException {
            return target.volume().read(read.chunk(), read.offset(), read.bytes(), into);
        }
    }

    /** Reads the chunk with its neighbours of the message, if it is ready when they go. */
    private static final class Together implements Source {
        private final Alone alone;
        private final NeighbourReads neighbours;
        private Optional<NeighbourReads.Member> member = Optional.empty();

        Together(Alone alone, NeighbourReads neighbours) {
            this.alone = alone;
            this.neighbours = neighbours;
        }

        @Override
        public void take(ServedVolume to, VolumeTask<?> piece) {
            NeighbourReads.Member own =
                    neighbours.add(alone.read().offset(), alone.read().bytes());
            member = Optional.of(own);
            piece.result().whenComplete((answer, failure) -> own.ended());
            alone.take(to, piece);
        }

        @Override
        public ReadRange read(ByteBuf into) throws EcfsException {
            return member.isPresent() ? member.get().read(into) : alone.read(into);
        }
    }

    /** A chunk of which a message reads. */
    private record Place(ServedVolume target, ChunkId chunk) {}

    /** @return for each read its answer, each as soon as it is there */
    List<CompletableFuture<Envelope>> readAll(List<ChunkRequest.ReadChunk> reads, Session session) {
        Visits batches = new Visits();
        List<CompletableFuture<Envelope>> answers = new ArrayList<>(reads.size());
        for (ChunkRequest.ReadChunk read : reads) {
            try {
                answers.add(read(read, session, batches, reads.size() > 1));
            } catch (EcfsException e) {
                answers.add(CompletableFuture.failedFuture(e));
            }
        }
        batches.begin();
        return answers;
    }

    private CompletableFuture<Envelope> read(
            ChunkRequest.ReadChunk read, Session session, Visits batches, boolean withOthers) throws EcfsException {
        ChunkId chunk = read.chunk();
        tokens.require(
                read.token(), TokenUse.bytes(chunk, Right.READ, read.offset(), read.bytes(), session.principal()));
        ServedVolume target = volumes.require(read.volume());
        if (read.bytes() > maxReadBytes || read.offset() > Long.MAX_VALUE / 2) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "read of " + read.bytes() + " bytes at " + read.offset() + " of " + chunk + ": at most "
                            + maxReadBytes + " bytes at once");
        }
        PendingRead pending = new PendingRead(readBuffers, read.spare());
        target.staged().ifPresent(staged -> staged.measure(pending.answer()));
        boolean tells = session.featureLevel() >= FeatureLevel.RINGS;
        if (session.takesFiles() && read.bytes() >= SENT_FROM_FILES) {
            sendFile(pending, read, target, batches, tells);
        } else {
            Alone alone = new Alone(read, target, batches);
            // Spares are deferred: they do not go with the others.
            readInto(pending, withOthers && !read.spare() ? together(alone, batches) : alone, read, target, tells);
        }
        return pending.answer();
    }

    private Together together(Alone alone, Visits batches) {
        return new Together(
                alone,
                batches.neighbours.computeIfAbsent(
                        new Place(alone.target(), alone.read().chunk()),
                        place -> new NeighbourReads(place.target().volume(), place.chunk(), readBuffers, rule)));
    }

    CompletableFuture<Envelope> checksums(ChunkRequest.ReadChecksums read, Session session) throws EcfsException {
        ChunkId chunk = read.chunk();
        tokens.require(
                read.token(), TokenUse.bytes(chunk, Right.READ, read.offset(), read.bytes(), session.principal()));
        ServedVolume target = volumes.require(read.volume());
        if (read.offset() + read.bytes() > Policy.MAX_CHUNK_BYTES) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "checksums of " + read.bytes() + " bytes at " + read.offset() + " of " + chunk
                            + ": a chunk has at most " + Policy.MAX_CHUNK_BYTES);
        }
        PendingRead pending = new PendingRead(readBuffers, false);
        pending.step(
                ReadRange.checksumBytesFor(read.offset(), read.bytes()),
                target,
                chunk,
                PendingRead.Way::alone,
                buffer -> notifier.tellingDamage(target, chunk, () -> {
                    target.volume().requireStamp(chunk, read.token().stamp());
                    ReadRange range = target.volume().checksums(chunk, read.offset(), read.bytes(), buffer);
                    return new Envelope(new ChunkReply.Checksums(chunk, range.from(), range.bytes()), buffer);
                }),
                pending::give);
        return pending.answer();
    }

    /** From the file to the socket; what cannot be sent so is read. */
    private void sendFile(
            PendingRead pending, ChunkRequest.ReadChunk read, ServedVolume target, PendingRead.Way way, boolean tells) {
        pending.step(
                ReadRange.checksumBytesFor(read.offset(), read.bytes()),
                target,
                read.chunk(),
                way,
                checksums -> lend(read, target, tells, checksums),
                lent -> lent.ifPresentOrElse(
                        pending::give,
                        () -> readInto(pending, new Alone(read, target, PendingRead.Way::alone), read, target, tells)));
    }

    private Optional<Envelope> lend(ChunkRequest.ReadChunk read, ServedVolume target, boolean tells, ByteBuf checksums)
            throws EcfsException {
        target.volume().requireStamp(read.chunk(), read.token().stamp());
        Optional<FileRegion> lent = target.volume().lend(read.chunk(), read.offset(), read.bytes(), checksums);
        if (lent.isEmpty()) {
            checksums.release();
        } else {
            volumes.bytes().addRead(read.bytes());
        }
        boolean writing = tells && target.isWriting();
        return lent.map(
                bytes -> new Envelope(data(read, bytes.range(), writing), checksums, Optional.of(bytes.file())));
    }

    /** @param tells whether the reader understands that a volume writes */
    private void readInto(
            PendingRead pending, Source source, ChunkRequest.ReadChunk read, ServedVolume target, boolean tells) {
        pending.step(
                ReadRange.payloadBytesFor(read.offset(), read.bytes()),
                target,
                read.chunk(),
                source,
                buffer -> notifier.tellingDamage(target, read.chunk(), () -> {
                    target.volume().requireStamp(read.chunk(), read.token().stamp());
                    ReadRange range = source.read(buffer);
                    volumes.bytes().addRead(read.bytes());
                    return new Envelope(data(read, range, tells && target.isWriting()), buffer);
                }),
                pending::give);
    }

    private static ChunkReply.Data data(ChunkRequest.ReadChunk read, ReadRange range, boolean writing) {
        return new ChunkReply.Data(read.chunk(), range.from(), range.bytes(), writing);
    }
}

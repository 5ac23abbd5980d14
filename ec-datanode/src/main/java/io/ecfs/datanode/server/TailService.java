package io.ecfs.datanode.server;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.Tails;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.TokenUse;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;

/** Answers what concerns tail logs, for {@link ChunkService}, and under its rules. */
final class TailService {
    private final Volumes volumes;
    private final BlockTokenVerifier tokens;
    private final BufferPool readBuffers;
    private final int maxReadBytes;
    private final Writers writers;

    /** Finds a chunk for its writer. */
    interface Writers {
        ServedVolume holding(ChunkId chunk) throws EcfsException;
    }

    TailService(Volumes volumes, BlockTokenVerifier tokens, BufferPool readBuffers, int maxReadBytes, Writers writers) {
        this.volumes = volumes;
        this.tokens = tokens;
        this.readBuffers = readBuffers;
        this.maxReadBytes = maxReadBytes;
        this.writers = writers;
    }

    /** Owns the payload. */
    CompletableFuture<Envelope> write(ChunkRequest.WriteTail write, Session session, ByteBuf payload) {
        ChunkId chunk = write.chunk();
        CompletableFuture<Envelope> written;
        try {
            tokens.requireOfWriter(write.token(), TokenUse.ofWriter(chunk, session.principal()));
            ServedVolume target = writers.holding(chunk);
            written = target.queue().submit(chunk, () -> {
                target.volume()
                        .tails()
                        .append(
                                chunk,
                                write.writer(),
                                write.record(),
                                write.settled(),
                                write.sync(),
                                write.sent(),
                                payload);
                return Envelope.of(new ChunkReply.TailWritten(chunk));
            });
        } catch (EcfsException e) {
            written = CompletableFuture.failedFuture(e);
        }
        return written.whenComplete((answer, failure) -> payload.release());
    }

    CompletableFuture<Envelope> sync(ChunkRequest.SyncChunk sync, Session session) throws EcfsException {
        tokens.requireOfWriter(sync.token(), TokenUse.ofWriter(sync.chunk(), session.principal()));
        ServedVolume target = writers.holding(sync.chunk());
        return target.queue().submit(sync.chunk(), () -> {
            target.volume().tails().sync(sync.chunk(), sync.writer(), sync.sent());
            return Envelope.of(new ChunkReply.Synced(sync.chunk()));
        });
    }

    CompletableFuture<Envelope> check(ChunkRequest.CheckChunk check, Session session) throws EcfsException {
        tokens.requireOfWriter(check.token(), TokenUse.ofWriter(check.chunk(), session.principal()));
        ServedVolume target = writers.holding(check.chunk());
        return target.queue().submit(check.chunk(), () -> {
            target.volume().tails().check(check.chunk(), check.writer(), check.sent());
            return Envelope.of(new ChunkReply.Checked(check.chunk()));
        });
    }

    CompletableFuture<Envelope> probe(ChunkRequest.ProbeTail probe, Session session) throws EcfsException {
        ChunkId chunk = probe.chunk();
        tokens.require(probe.token(), TokenUse.noBytes(chunk, Right.READ, session.principal()));
        ServedVolume target = volumes.require(probe.volume());
        return target.queue().submit(chunk, () -> {
            target.volume().requireStamp(chunk, probe.token().stamp());
            ChunkRecord record = target.volume().probe(chunk);
            Tails tails = target.volume().tails();
            return Envelope.of(new ChunkReply.TailProbed(record, tails.coverage(chunk), tails.wasInterrupted(chunk)));
        });
    }

    CompletableFuture<Envelope> read(ChunkRequest.ReadTail read, Session session) throws EcfsException {
        ChunkId chunk = read.chunk();
        tokens.require(read.token(), TokenUse.whole(chunk, Right.READ, session.principal()));
        ServedVolume target = volumes.require(read.volume());
        if (read.most() > maxReadBytes) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "read of " + read.most() + " tail bytes of " + chunk + ": at most " + maxReadBytes + " at once");
        }
        Tails tails = target.volume().tails();
        return readBuffers
                .acquire(ChunkPayload.payloadBytes(read.most()))
                .thenCompose(buffer -> target.queue()
                        .submit(chunk, () -> {
                            target.volume().requireStamp(chunk, read.token().stamp());
                            return answer(tails.read(chunk, read.from(), read.most(), buffer), buffer);
                        })
                        .whenComplete((answer, failure) -> {
                            if (failure != null) {
                                buffer.release();
                            }
                        }));
    }

    private static Envelope answer(ChunkReply.TailBytes bytes, ByteBuf buffer) {
        if (buffer.isReadable()) {
            return new Envelope(bytes, buffer);
        }
        buffer.release();
        return new Envelope(bytes, Unpooled.EMPTY_BUFFER);
    }
}

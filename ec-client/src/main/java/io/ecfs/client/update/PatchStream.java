package io.ecfs.client.update;

import io.ecfs.client.location.PatchedLocations;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.client.write.FileWriter;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.PatchIndex;
import io.ecfs.patch.Write;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The patch groups that one updater writes, one after the other: batches, and an index at the end of each group. A
 * batch counts only when it lies within one group: one that was cut, because a datanode failed and the rest went to
 * another group, is written once more, to a group of its own. One call at a time.
 */
final class PatchStream {
    /** Of one batch, each of which meets the failure of a datanode. */
    private static final int MOST_ATTEMPTS = 4;

    private static final int ZEROS = 64 << 10;

    private final Workers workers;
    private final FileWriter writer;
    private final EcfsOutputStream stream;
    private final PatchedLocations locations;
    private final long nonce;
    private final ByteBuffer zeros = ByteBuffer.allocate(ZEROS).asReadOnlyBuffer();
    private Optional<OpenPatch> open = Optional.empty();
    private long offset;
    private long shortest;

    /** A group that was sealed with an index. */
    record Sealed(GroupId group, long indexOffset) {}

    /**
     * @param workers may wait for memory of stripes
     * @param locations receive each batch as soon as it is acknowledged
     * @param nonce of the file
     */
    PatchStream(Workers workers, FileWriter writer, EcfsOutputStream stream, PatchedLocations locations, long nonce) {
        this.workers = workers;
        this.writer = writer;
        this.stream = stream;
        this.locations = locations;
        this.nonce = nonce;
        this.shortest = locations.patches().length();
    }

    /** Where in its group the next batch begins. */
    long offset() {
        return offset;
    }

    /**
     * Writes a batch, and applies it to the locations when it is acknowledged.
     *
     * @param data of each write
     * @param fileLength after the batch
     * @param padded where in the group the batch is to end, at or behind the end of its bytes
     * @param sync whether it must be on the datanodes' disks
     */
    CompletableFuture<Void> write(
            List<Write> writes, List<ByteBuffer> data, long fileLength, OptionalLong padded, boolean sync) {
        return write(writes, data, fileLength, padded, sync, 1);
    }

    private CompletableFuture<Void> write(
            List<Write> writes,
            List<ByteBuffer> data,
            long fileLength,
            OptionalLong padded,
            boolean sync,
            int attempt) {
        PatchBatch plain = PatchBatch.plan(offset, locations.patches().lastBatch() + 1, fileLength, writes);
        PatchBatch batch = padded.isPresent() ? plain.padTo(padded.getAsLong()) : plain;
        long begin = stream.position();
        return workers.submit(() -> put(batch, new PatchParts(batch, nonce, data)))
                .thenCompose(put -> stream.acknowledgeLater(sync))
                .thenCompose(acknowledged -> writer.pieces(begin, begin + batch.bytes()))
                .thenCompose(pieces -> {
                    if (pieces.size() == 1) {
                        return written(batch, data, pieces.get(0));
                    }
                    if (attempt == MOST_ATTEMPTS) {
                        return CompletableFuture.failedFuture(new EcfsException(
                                ErrorCode.UNREACHABLE,
                                "a batch of " + batch.bytes() + " bytes was cut by failures of datanodes " + attempt
                                        + " times; open the file again when they are back"));
                    }
                    return stream.sealLater(sync).thenCompose(ended -> {
                        began();
                        return write(writes, data, fileLength, OptionalLong.empty(), sync, attempt + 1);
                    });
                });
    }

    private Void put(PatchBatch batch, PatchParts parts) throws IOException {
        long at = batch.groupOffset();
        for (PatchParts.Part part : parts.all()) {
            zeros(part.offset() - at);
            stream.write(part.bytes().duplicate());
            at = part.end();
        }
        zeros(batch.end() - at);
        return null;
    }

    private void zeros(long bytes) throws IOException {
        for (long left = bytes; left > 0; ) {
            int some = (int) Math.min(left, ZEROS);
            stream.write(zeros.duplicate().limit(some));
            left -= some;
        }
    }

    private CompletableFuture<Void> written(PatchBatch planned, List<ByteBuffer> data, PackedFile.Piece piece) {
        return in(piece.group()).thenAccept(group -> {
            // The group before may have ended early, at the failure of a datanode.
            PatchBatch batch = planned.at(piece.offset());
            group.acknowledged(new PatchParts(batch, nonce, data), batch.end());
            locations.patches().apply(batch);
            offset = batch.end();
            shortest = Math.min(shortest, batch.fileLength());
        });
    }

    /** The group in which a batch is, the present one or one that was begun with it. */
    private CompletableFuture<OpenPatch> in(GroupId group) {
        if (open.filter(now -> now.group().equals(group)).isPresent()) {
            return CompletableFuture.completedFuture(open.get());
        }
        return locations.locate().thenApply(located -> {
            OpenPatch next = new OpenPatch(find(located, group));
            began();
            locations.patches().add(next);
            open = Optional.of(next);
            return next;
        });
    }

    private static LocatedGroup find(NamespaceReply.Located located, GroupId group) {
        return located.patches().stream()
                .flatMap(patches -> patches.groups().stream())
                .filter(one -> one.group().equals(group))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the namenode does not know patch group " + group + " of "
                        + located.status().path()));
    }

    private void began() {
        open = Optional.empty();
        offset = 0;
        shortest = locations.patches().length();
    }

    /** Puts what is acknowledged on the datanodes' disks. */
    CompletableFuture<Void> sync() {
        return stream.acknowledgeLater(true);
    }

    /**
     * Ends the open group with its index, on the datanodes' disks.
     *
     * @return empty when there is none, and when the index was cut by the failure of a datanode
     */
    CompletableFuture<Optional<Sealed>> seal() {
        if (open.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        GroupId group = open.get().group();
        long at = offset;
        PatchIndex index = locations.patches().index(shortest);
        ByteBuffer bytes = index.encode();
        long begin = stream.position();
        int length = bytes.remaining();
        return workers.submit(() -> {
                    stream.write(bytes);
                    return null;
                })
                .thenCompose(put -> stream.sealLater(true))
                .thenCompose(ended -> writer.pieces(begin, begin + length))
                .thenApply(pieces -> {
                    began();
                    return pieces.size() == 1
                                    && pieces.get(0).group().equals(group)
                                    && pieces.get(0).offset() == at
                            ? Optional.of(new Sealed(group, at))
                            : Optional.empty();
                });
    }

    /** Ends the writer; the file is left to its recovery. */
    void fail(EcfsException reason) {
        writer.fail(reason);
    }

    /** Closes the file. */
    CompletableFuture<Void> close() {
        return stream.closeLater();
    }
}

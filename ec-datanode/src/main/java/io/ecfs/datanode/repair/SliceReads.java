package io.ecfs.datanode.repair;

import io.ecfs.code.ErasureCode;
import io.ecfs.code.SubChunkRange;
import io.ecfs.datanode.repair.WorkMeter.Step;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the slices of a chunk need of its {@link Sources}; one that fails is none any more. Safe for use by
 * several threads.
 */
final class SliceReads {
    private static final Logger LOG = LoggerFactory.getLogger(SliceReads.class);

    private final ChunkId chunk;
    private final GroupLayout layout;
    private final ErasureCode code;
    private final Sources sources;
    private final ChunkClient client;
    private final BlockToken token;
    private final Consumer<BadChunk> badChunks;
    private final WorkMeter meter;

    /** @param chunk that is computed */
    SliceReads(
            ChunkId chunk,
            GroupLayout layout,
            ErasureCode code,
            Sources sources,
            ChunkClient client,
            BlockToken token,
            Consumer<BadChunk> badChunks,
            WorkMeter meter) {
        this.chunk = chunk;
        this.layout = layout;
        this.code = code;
        this.sources = sources;
        this.client = client;
        this.token = token;
        this.badChunks = badChunks;
        this.meter = meter;
    }

    /** Reads all that a slice needs; false when a source failed. */
    CompletableFuture<Boolean> of(SliceWork work) {
        long since = meter.nanos();
        Map<Integer, CompletableFuture<Void>> reads = new TreeMap<>();
        for (int source : work.recipe().sources()) {
            reads.put(source, readSource(work, source));
        }
        // All of them end before the buffer is released: a late answer must not write into memory of a new owner.
        CompletableFuture<Boolean> whole = new CompletableFuture<>();
        CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                .whenComplete((all, failure) -> {
                    if (failure != null) {
                        reads.forEach((source, read) -> read.whenComplete((bytes, why) -> {
                            if (why != null) {
                                dropSource(source, EcfsException.of(why));
                            }
                        }));
                    }
                    meter.ended(Step.READ, since);
                    whole.complete(failure == null);
                });
        return whole;
    }

    private void dropSource(int index, EcfsException failure) {
        Optional<ChunkLocation> dropped = sources.drop(index, failure);
        if (dropped.isEmpty()) {
            return;
        }
        ChunkLocation source = dropped.get();
        LOG.warn(
                "event=repair_source_failed chunk={} source={} datanode={} code={} error=\"{}\"",
                chunk,
                source.chunk(),
                source.datanode(),
                failure.code(),
                failure.getMessage());
        BadChunk.of(source, failure).ifPresent(badChunks);
    }

    private CompletableFuture<Void> readSource(SliceWork work, int index) {
        Optional<ChunkLocation> at = sources.at(index);
        if (at.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new EcfsException(ErrorCode.UNREACHABLE, "chunk " + index + " failed meanwhile"));
        }
        ChunkLocation source = at.get();
        Slice slice = work.slice();
        if (!slice.gathers(work.recipe(), index)) {
            return read(source, slice.offset(), slice.codedBytes())
                    .thenAccept(answer -> work.buffer().keep(index, answer));
        }
        long storedEnd = Math.min(slice.offset() + slice.codedBytes(), layout.chunkBytes(index));
        int subChunkBytes = slice.codedBytes() / code.subChunks();
        List<ChunkRequest.ReadChunk> runs = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        int at0 = 0;
        for (SubChunkRange range : work.recipe().planOf(index).reads().get(index)) {
            int bytes = range.count() * subChunkBytes;
            int to = at0;
            long from = slice.offset() + (long) range.from() * subChunkBytes;
            // What is not stored of a tail cell is zeros.
            int stored = (int) Math.max(0, Math.min(bytes, storedEnd - from));
            work.buffer().zero(index, to + stored, bytes - stored);
            if (stored > 0) {
                runs.add(new ChunkRequest.ReadChunk(source.chunk(), source.volume(), from, stored, token));
                places.add(to);
                meter.asked(index, source.datanode(), stored);
            }
            at0 += bytes;
        }
        return runs.isEmpty() ? CompletableFuture.completedFuture(null) : readRuns(work, source, runs, places);
    }

    /**
     * Reads runs of sub-chunks of one source in one message, so that the source visits its disk once for all of them.
     *
     * @param places of the runs in the slice's memory
     */
    private CompletableFuture<Void> readRuns(
            SliceWork work, ChunkLocation source, List<ChunkRequest.ReadChunk> runs, List<Integer> places) {
        List<CompletableFuture<ChunkBytes>> answers = client.readAll(source.address(), runs);
        CompletableFuture<?>[] parts = new CompletableFuture<?>[answers.size()];
        for (int i = 0; i < parts.length; i++) {
            ChunkRequest.ReadChunk run = runs.get(i);
            int to = places.get(i);
            parts[i] = answers.get(i).thenAccept(answer -> {
                try (answer) {
                    work.buffer()
                            .put(source.chunk().index(), to, answer.slice(run.offset(), run.offset() + run.bytes()));
                }
            });
        }
        return CompletableFuture.allOf(parts);
    }

    private CompletableFuture<ChunkBytes> read(ChunkLocation source, long from, int bytes) {
        meter.asked(source.chunk().index(), source.datanode(), bytes);
        return client.read(source.address(), source.chunk(), source.volume(), from, bytes, token);
    }
}

package io.ecfs.stripe.write;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.stripe.Increment;
import io.ecfs.stripe.write.WrittenChunk.State;
import io.ecfs.transfer.ChunkClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Acknowledges what is written of a group before it ends: sends increments of the open stripe as tail records, and puts
 * on disk what is to be there. {@link GroupTail} has the account of it. Owned by the writer's owner thread.
 */
public final class TailWriter {
    private final long writer;
    private final ChunkClient client;
    private final WrittenChunks chunks;
    private final ChunkCalls calls;
    private final GroupTail tail;
    private final WriteToken token;
    private boolean syncing;

    TailWriter(
            long writer, ChunkClient client, WrittenChunks chunks, ChunkCalls calls, GroupTail tail, WriteToken token) {
        this.token = token;
        this.writer = writer;
        this.client = client;
        this.chunks = chunks;
        this.calls = calls;
        this.tail = tail;
    }

    /** Returns whether disks are being synced, which may take as long as a call may. */
    boolean syncing() {
        return syncing;
    }

    /**
     * Sends the increments of the open stripe as tail records, and has all on disk that is to be; done when the chunks
     * are {@link WrittenChunks#drained}. A sync rides on the last record that a chunk gets.
     *
     * @param stripes bytes of full stripes sent
     */
    public void flush(IncrementBatch batch, long stripes) {
        syncing = batch.sync();
        calls.beginExchange();
        List<Integer> live = open();
        SortedMap<Integer, List<TailSend>> sends = new TreeMap<>();
        for (Increment increment : batch.increments()) {
            TailRecord record = increment.record(tail.nextSequence(), stripes);
            tail.recordSent();
            tail.holders(live, increment.form(), stripes)
                    .forEach(index ->
                            sends.computeIfAbsent(index, i -> new ArrayList<>()).add(new TailSend(record, increment)));
        }
        for (int index : live) {
            List<TailSend> mine = sends.getOrDefault(index, List.of());
            for (int i = 0; i < mine.size(); i++) {
                send(index, mine.get(i), batch, batch.sync() && i == mine.size() - 1);
            }
            if (mine.isEmpty() && chunks.get(index).dirty) {
                confirm(index, batch);
            }
        }
        batch.sent();
    }

    /**
     * Confirms a chunk that gets no record but is acknowledged all the same: that it has what was sent, for a sync on
     * disk. A chunk that is on disk as far as it goes needs no question, whatever happened to its machine. Without a
     * sync neither does one that had a {@linkplain ChunkCalls#requestedRecently recent request}, if its datanode syncs
     * in the background what it gets.
     */
    private void confirm(int index, IncrementBatch batch) {
        WrittenChunk chunk = chunks.get(index);
        if (batch.sync()) {
            batch.asked();
            sync(index, Optional.of(batch));
        } else if (!chunk.sent().nothing() && !(chunk.syncedInBackground && calls.requestedRecently(chunk))) {
            chunk.syncedInBackground = true;
            batch.asked();
            calls.ask(
                    chunk,
                    client.check(chunk.location.address(), chunk.location.chunk(), writer, chunk.sent(), token.now()),
                    failure -> answered(index, Optional.of(batch), failure));
        }
    }

    private record TailSend(TailRecord record, Increment increment) {}

    private List<Integer> open() {
        return chunks.in(State.OPEN).map(WrittenChunk::index).toList();
    }

    private void send(int index, TailSend send, IncrementBatch batch, boolean sync) {
        WrittenChunk chunk = chunks.get(index);
        chunk.dirty = !sync;
        chunk.syncedInBackground |= !sync;
        batch.asked();
        ChunkRequest.WriteTail message = new ChunkRequest.WriteTail(
                chunk.location.chunk(),
                writer,
                send.record,
                tail.settled(),
                sync,
                chunk.sent(),
                token.now().bound());
        chunk.lastRecord = send.record.sequence();
        calls.ask(
                chunk,
                client.writeTail(chunk.location.address(), message, send.increment.share(index)),
                failure -> answered(index, Optional.of(batch), failure));
    }

    private void sync(int index, Optional<IncrementBatch> batch) {
        WrittenChunk chunk = chunks.get(index);
        chunk.dirty = false;
        calls.ask(
                chunk,
                client.sync(chunk.location.address(), chunk.location.chunk(), writer, chunk.sent(), token.now()),
                failure -> answered(index, batch, failure));
    }

    /** Puts all chunks that live on disk as they are, before they are published; done when the chunks are drained. */
    public void settle() {
        syncing = true;
        calls.beginExchange();
        open().forEach(index -> sync(index, Optional.empty()));
    }

    private void answered(int index, Optional<IncrementBatch> batch, Optional<EcfsException> failure) {
        calls.answered(index, failure);
        batch.ifPresent(IncrementBatch::answered);
        if (chunks.drained()) {
            calls.endExchange(WriteSide.CLIENT, Optional.empty()); // records never go through a master
        }
    }

    /** Records that all live chunks have acknowledged the batch. */
    public void flushed(IncrementBatch batch, long stripes) {
        syncing = false;
        long end = batch.increments().stream()
                .mapToLong(increment -> increment.record(0, stripes).end())
                .max()
                .orElse(stripes);
        tail.onAcknowledged(stripes, end, batch.sync());
    }

    /** Records that a chunk failed during the batch: silent datanodes are suspected as usual again. */
    public void flushFailed() {
        syncing = false;
    }

    /** All chunks that live are on disk, so far as they were sent. */
    public void settled(long length) {
        syncing = false;
        tail.allOnDisk(length);
    }
}

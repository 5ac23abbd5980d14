package io.ecfs.datanode.store;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is known in memory of one chunk's tail log, and of how much of the chunk is on disk. Bounded by
 * {@link #MOST_RECORDS}. For the volume's threads, calls on one chunk in order.
 */
final class TailLog {
    /** More than a writer puts into one stripe before it finishes the group instead. */
    static final int MOST_RECORDS = 32_768;

    private final ChunkId chunk;
    private final Policy policy;
    private final List<Entry> entries = new ArrayList<>();
    private long end;
    private boolean there;
    private boolean damaged;

    /** Of the chunk's bytes; -1: not even its names and its header. */
    private long syncedBytes = -1;

    private long syncedEnd;
    private boolean nameSynced;

    /** @param at where the record's head is in the file */
    record Entry(TailRecord record, long at) {}

    TailLog(ChunkId chunk, Policy policy) {
        this.chunk = chunk;
        this.policy = policy;
    }

    ChunkId chunk() {
        return chunk;
    }

    Policy policy() {
        return policy;
    }

    /** Whether the file is there. */
    boolean there() {
        return there;
    }

    void made() {
        there = true;
    }

    /** Where the next record goes. */
    long end() {
        return end;
    }

    boolean full() {
        return entries.size() >= MOST_RECORDS;
    }

    /** -1 for none. */
    long lastSequence() {
        return entries.isEmpty() ? -1 : entries.get(entries.size() - 1).record().sequence();
    }

    /** Whether something of it is lost, or behind its end there is what nobody can read: its writer must not go on. */
    boolean damaged() {
        return damaged;
    }

    void damage() {
        damaged = true;
    }

    /** Whether there are records, none of which reaches beyond {@code settled}. */
    boolean deadBelow(long settled) {
        return !entries.isEmpty() && entries.stream().allMatch(e -> e.record().end() <= settled);
    }

    void cut() {
        entries.clear();
        end = 0;
        syncedEnd = 0;
    }

    /** A record that turned out to be damaged covers nothing. */
    void forget(Entry entry) {
        entries.remove(entry);
        damaged = true;
    }

    /** A record was written at the end. */
    void add(TailRecord record) {
        add(record, end);
    }

    /** @param at at the end or, behind damage, beyond it */
    void add(TailRecord record, long at) {
        entries.add(new Entry(record, at));
        end = at + TailRecordFormat.fileBytes(record.storedBytes(policy, chunk.index()));
    }

    /** Whether the log's bytes or its name are not on disk. */
    boolean dirty() {
        return there && (syncedEnd < end || !nameSynced);
    }

    boolean nameSynced() {
        return nameSynced || !there;
    }

    boolean syncedUpTo(long chunkBytes) {
        return syncedBytes == chunkBytes;
    }

    boolean namesSynced() {
        return syncedBytes >= 0;
    }

    void synced(long chunkBytes) {
        syncedBytes = chunkBytes;
        syncedEnd = end;
        nameSynced = there;
    }

    /** The chunk was cut back: what is synced of it is not known any more. */
    void bytesChanged() {
        syncedBytes = Math.min(syncedBytes, 0);
    }

    /** The mirrored records that go on without a gap from {@code from}; none when it has none there. */
    List<Entry> mirroredFrom(long from) {
        List<Entry> run = new ArrayList<>();
        long at = from;
        for (Entry entry : entries) {
            TailRecord record = entry.record();
            if (record.form() == TailForm.MIRRORED && record.offset() <= at && at < record.end()) {
                run.add(entry);
                at = record.end();
            }
        }
        return run;
    }

    Optional<Entry> codedAt(long position) {
        return entries.stream()
                .filter(e -> e.record().form() == TailForm.CODED
                        && e.record().offset() <= position
                        && position < e.record().end())
                .findFirst();
    }

    TailCoverage coverage() {
        return new TailCoverage(ranges(TailForm.MIRRORED), ranges(TailForm.CODED));
    }

    private List<TailCoverage.Range> ranges(TailForm form) {
        List<TailRecord> sorted = entries.stream()
                .map(Entry::record)
                .filter(record -> record.form() == form)
                .sorted(Comparator.comparingLong(TailRecord::offset))
                .toList();
        List<TailCoverage.Range> joined = new ArrayList<>();
        for (TailRecord record : sorted) {
            int last = joined.size() - 1;
            if (last >= 0 && record.offset() <= joined.get(last).to()) {
                TailCoverage.Range before = joined.get(last);
                joined.set(last, new TailCoverage.Range(before.from(), Math.max(before.to(), record.end())));
            } else {
                joined.add(new TailCoverage.Range(record.offset(), record.end()));
            }
        }
        return joined;
    }
}

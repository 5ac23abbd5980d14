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
 * In-memory state of one chunk's tail log, and of how much of the chunk is synced. Bounded by {@link #MOST_RECORDS}.
 * For the volume's threads, calls on one chunk in order.
 */
final class TailLog {
    /** Bound of the records: a writer finishes the group before it puts as many into one stripe. */
    static final int MOST_RECORDS = 32_768;

    private final ChunkId chunk;
    private final Policy policy;
    private final List<Entry> entries = new ArrayList<>();
    private long end;
    /** The farthest group byte of the records. */
    private long reach;

    private boolean there;
    private boolean damaged;

    /** Synced bytes of the chunk; -1: not even its names and its header. */
    private long syncedBytes = -1;

    private long syncedEnd;
    private boolean nameSynced;

    /** @param at position of the record's head in the file */
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

    /** Returns whether the file exists. */
    boolean there() {
        return there;
    }

    void made() {
        there = true;
    }

    /** Position of the next record. */
    long end() {
        return end;
    }

    boolean full() {
        return entries.size() >= MOST_RECORDS;
    }

    /** Sequence of the last record; -1 for none. */
    long lastSequence() {
        return entries.isEmpty() ? -1 : entries.get(entries.size() - 1).record().sequence();
    }

    /** Returns whether records are lost, or unreadable bytes follow its end: its writer must not go on. */
    boolean damaged() {
        return damaged;
    }

    void damage() {
        damaged = true;
    }

    /** Returns whether there are records, none of which reaches past {@code settled}. */
    boolean deadBelow(long settled) {
        return !entries.isEmpty() && reach <= settled;
    }

    void cut() {
        entries.clear();
        reach = 0;
        end = 0;
        syncedEnd = 0;
    }

    /** Removes a damaged record from the coverage. */
    void forget(Entry entry) {
        entries.remove(entry);
        damaged = true;
    }

    /** Adds a record that was written at the end. */
    void add(TailRecord record) {
        add(record, end);
    }

    /** @param at at the end or, behind damage, after it */
    void add(TailRecord record, long at) {
        entries.add(new Entry(record, at));
        reach = Math.max(reach, record.end());
        end = at + TailRecordFormat.fileBytes(record.storedBytes(policy, chunk.index()));
    }

    /** Returns whether the log's bytes or its name are not synced. */
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

    /** Notes that the chunk was truncated: its synced length is unknown. */
    void bytesChanged() {
        syncedBytes = Math.min(syncedBytes, 0);
    }

    /** The mirrored records that follow each other without a gap from {@code from} on; none when there are none. */
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

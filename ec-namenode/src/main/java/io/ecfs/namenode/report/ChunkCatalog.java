package io.ecfs.namenode.report;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.datanode.DatanodeReport.FullReport;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Chunks that the datanodes report, volume by volume. A full report takes effect as a whole when its last page arrives;
 * changes reported since its first page are applied on top of it. The number of chunks of a volume is bounded, whatever
 * its datanode reports. Owner thread: the namenode's event thread.
 */
public final class ChunkCatalog {
    /** False when the volume has too many chunks to take another one. */
    private static final FunctionTable<ChunkChange, ChunkCatalog, Boolean> APPLY =
            FunctionTable.<ChunkChange, ChunkCatalog, Boolean>of(ChunkChange.class)
                    .on(ChunkChange.Present.class, (all, present) -> all.put(present.volume(), present.record()))
                    .on(ChunkChange.Fenced.class, (all, fenced) -> all.put(fenced.volume(), fenced.record()))
                    .on(ChunkChange.Gone.class, ChunkCatalog::remove)
                    .always(
                            true,
                            ChunkChange.RepairFailed.class,
                            ChunkChange.ParityChecked.class,
                            ChunkChange.Compared.class,
                            ChunkChange.Rewritten.class)
                    .build();

    /** A full report that is arriving, and what changed meanwhile. */
    private static final class Arriving {
        final long reportId;
        final VolumeChunks chunks = new VolumeChunks();
        /** The newest of each chunk: a report that never ends holds no more than the volume does. */
        final TreeMap<ChunkId, ChunkChange> changes = new TreeMap<>();

        int nextPage;

        Arriving(long reportId) {
            this.reportId = reportId;
        }
    }

    /** Result of taking a page. */
    public enum Page {
        /** More pages are to come, or this one came before. */
        TAKEN,
        /** It was the last: the report is complete. */
        COMPLETE,
        /** A page before it is missing: the report is dropped, another is needed. */
        BROKEN,
        /** More chunks than a volume may have: the report is dropped, and the volume counts as not reported. */
        TOO_MANY
    }

    private final int chunksPerVolume;
    private final TreeMap<VolumeId, VolumeChunks> known = new TreeMap<>();
    private final TreeMap<VolumeId, Arriving> arriving = new TreeMap<>();
    private final TreeSet<VolumeId> reportedInFull = new TreeSet<>();

    /** @param chunksPerVolume most that are stored of one volume */
    public ChunkCatalog(int chunksPerVolume) {
        this.chunksPerVolume = chunksPerVolume;
    }

    public Page take(FullReport page) {
        Arriving report = arriving.get(page.volume());
        if (page.page() == 0 && (report == null || report.reportId != page.reportId())) {
            report = new Arriving(page.reportId());
            arriving.put(page.volume(), report);
        }
        if (report == null || report.reportId != page.reportId() || page.page() > report.nextPage) {
            arriving.remove(page.volume());
            return Page.BROKEN;
        }
        if (page.page() < report.nextPage) {
            return Page.TAKEN;
        }
        if (report.chunks.count() + page.chunks().size() > chunksPerVolume) {
            reportAwaited(page.volume());
            return Page.TOO_MANY;
        }
        for (ChunkRecord record : page.chunks()) {
            report.chunks.put(record);
        }
        report.nextPage++;
        if (!page.last()) {
            return Page.TAKEN;
        }
        arriving.remove(page.volume());
        known.put(page.volume(), report.chunks);
        report.changes.values().forEach(this::apply);
        reportedInFull.add(page.volume());
        return Page.COMPLETE;
    }

    /** @return false when the volume has too many chunks to take another one: then the change is dropped */
    public boolean take(ChunkChange change) {
        Optional<ChunkId> chunk = change.reportedChunk();
        if (chunk.isEmpty()) {
            return true;
        }
        Arriving report = arriving.get(change.volume());
        if (report != null) {
            report.changes.put(chunk.get(), change);
            if (report.changes.size() > chunksPerVolume) {
                arriving.remove(change.volume()); // the pages that follow are refused as broken
            }
        }
        return apply(change);
    }

    private boolean apply(ChunkChange change) {
        return APPLY.apply(this, change);
    }

    private boolean remove(ChunkChange.Gone gone) {
        chunks(gone.volume()).remove(gone.chunk());
        return true;
    }

    private boolean put(VolumeId volume, ChunkRecord record) {
        VolumeChunks chunks = chunks(volume);
        if (chunks.count() >= chunksPerVolume && chunks.find(record.chunk()).isEmpty()) {
            return false;
        }
        chunks.put(record);
        return true;
    }

    /** Marks a volume as not reported until its next full report, because its datanode started anew. */
    public void reportAwaited(VolumeId volume) {
        reportedInFull.remove(volume);
        arriving.remove(volume);
    }

    /** True when the volume has reported in full to this namenode since its datanode registered. */
    public boolean reported(VolumeId volume) {
        return reportedInFull.contains(volume);
    }

    private VolumeChunks chunks(VolumeId volume) {
        return known.computeIfAbsent(volume, v -> new VolumeChunks());
    }

    public Optional<ChunkRecord> find(VolumeId volume, ChunkId chunk) {
        VolumeChunks chunks = known.get(volume);
        return chunks == null ? Optional.empty() : chunks.find(chunk);
    }

    /** Chunks being written and corrupt ones, in chunk order. */
    public Collection<ChunkRecord> notable(VolumeId volume) {
        VolumeChunks chunks = known.get(volume);
        return chunks == null ? List.of() : chunks.notable();
    }

    /** At most {@code limit} records in chunk order, those after {@code after}; null: from the beginning. */
    public List<ChunkRecord> after(VolumeId volume, ChunkId after, int limit) {
        VolumeChunks chunks = known.get(volume);
        return chunks == null ? List.of() : chunks.after(after, limit);
    }

    public long count(VolumeId volume) {
        VolumeChunks chunks = known.get(volume);
        return chunks == null ? 0 : chunks.count();
    }
}

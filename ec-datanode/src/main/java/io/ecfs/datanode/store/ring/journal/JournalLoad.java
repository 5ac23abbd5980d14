package io.ecfs.datanode.store.ring.journal;

import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a journal from its first record to the first that is damaged. What follows that one is removed: after a crash
 * it is a record that was not acknowledged, after a loss of power records that were not synced. But when other records
 * prove that the damaged one had been on disk, its file is lost; without its head it is not known which file that is,
 * and all are. So are they when the oldest segment is missing of which the heads of the others tell. Then nothing is
 * removed before the loss is dealt with, so that a start meanwhile finds it again.
 */
public final class JournalLoad {
    private static final Logger LOG = LoggerFactory.getLogger(JournalLoad.class);
    private static final int PIECE_BYTES = 64 << 10;

    private final VolumeIo io;
    private final List<Segment> segments = new ArrayList<>();
    private final NavigableMap<Long, Segment> heads = new TreeMap<>();
    private long lastLsn;
    private long proven; // records up to here were on disk
    private boolean whole = true;

    JournalLoad(VolumeIo io) {
        this.io = io;
    }

    /** Gets the records in order. */
    public interface Receiver {
        void record(Journal.Place at);

        /** Its bytes are lost; those of the records before and behind are not. */
        void damaged(JournalRecord record);

        /** The next record is lost, and with it all that is about the same file. */
        void lost(List<JournalRecord> behind);
    }

    /** First lsns by the names of the segments that are there, in order. */
    static List<Long> segmentsOf(VolumeIo io) throws IOException {
        List<Long> firsts = new ArrayList<>();
        for (String name : io.list("")) {
            Segment.parse(name).ifPresent(firsts::add);
        }
        firsts.sort(Long::compareUnsigned);
        return firsts;
    }

    /** The id that the segments of a journal tell of. */
    static OptionalLong idOf(VolumeIo io) throws IOException {
        for (long first : segmentsOf(io)) {
            Optional<Segment> segment = readable(io, first);
            if (segment.isPresent()) {
                return OptionalLong.of(segment.get().journal);
            }
        }
        return OptionalLong.empty();
    }

    private static Optional<Segment> readable(VolumeIo io, long first) throws IOException {
        try {
            return Segment.of(io, first);
        } catch (UnreadableFileException e) {
            return Optional.empty();
        }
    }

    /** @return the segments, which end with their last good records */
    List<Segment> run(Receiver into) throws IOException {
        List<Long> firsts = segmentsOf(io);
        for (long first : firsts) {
            readableHead(first).ifPresent(segment -> heads.put(first, segment));
        }
        for (Segment segment : heads.values()) {
            survey(segment, 0).forEach(record -> proven = Math.max(proven, record.durable()));
        }
        long oldest =
                heads.values().stream().mapToLong(Segment::oldest).max().orElse(firsts.isEmpty() ? 1 : firsts.get(0));
        if (!firsts.isEmpty() && !firsts.contains(oldest)) {
            proven = Math.max(proven, oldest);
        }
        lastLsn = oldest - 1;
        List<Long> freed = firsts.stream().filter(first -> first < oldest).toList(); // a crash left them
        firsts.removeAll(freed);
        int next = 0;
        boolean clean = true;
        while (clean && next < firsts.size() && firsts.get(next) == lastLsn + 1) {
            Segment segment = heads.get(firsts.get(next));
            clean = segment != null && records(segment, into);
            if (segment != null) { // without a record as well: the volume needs the journal
                segments.add(segment);
                next++;
            }
        }
        long gap = lastLsn + 1;
        whole = proven < gap;
        if (!whole) {
            LOG.error(
                    "event=journal_damaged journal={} lsn={} note=what_it_staged_is_reported_missing",
                    io.describe(),
                    gap);
            List<JournalRecord> behind = new ArrayList<>();
            for (Segment segment : heads.values()) {
                behind.addAll(survey(segment, gap));
            }
            into.lost(behind);
        } else {
            remove(freed);
            removeBehind(firsts.subList(next, firsts.size()), clean);
        }
        return segments;
    }

    long lastLsn() {
        return lastLsn;
    }

    boolean whole() {
        return whole;
    }

    private Optional<Segment> readableHead(long first) throws IOException {
        try {
            Optional<Segment> segment = Segment.of(io, first);
            if (segment.isEmpty() && Segment.headWasWritten(io, first)) {
                LOG.warn(
                        "event=journal_unreadable journal={} segment={} note=head", io.describe(), Segment.file(first));
                proven = Math.max(proven, first);
            }
            return segment;
        } catch (UnreadableFileException e) {
            LOG.warn("event=journal_unreadable journal={} segment={}", io.describe(), Segment.file(first), e);
            proven = Math.max(proven, first); // what cannot be read had been written
            return Optional.empty();
        }
    }

    /** @return whether the segment ends behind its last record */
    private boolean records(Segment segment, Receiver into) throws IOException {
        long length = io.length(segment.file()).orElse(0);
        while (segment.end < length) {
            Optional<JournalRecord> record = readable(segment, segment.end);
            if (record.isEmpty() || record.get().lsn() != lastLsn + 1) {
                return false;
            }
            long bytesAt = Segment.bytesAt(record.get(), segment.end);
            if (hasItsBytes(segment, bytesAt, record.get())) {
                into.record(new Journal.Place(record.get(), segment.firstLsn, bytesAt));
            } else if (record.get().lsn() <= proven) {
                LOG.error(
                        "event=journal_record_damaged journal={} lsn={}",
                        io.describe(),
                        record.get().lsn());
                into.damaged(record.get());
            } else {
                return false;
            }
            lastLsn++;
            segment.lastLsn = lastLsn;
            segment.end = bytesAt + record.get().bytes();
        }
        return true;
    }

    private boolean hasItsBytes(Segment segment, long bytesAt, JournalRecord record) throws IOException {
        try {
            return crc(segment, bytesAt, record.bytes()).equals(OptionalInt.of(record.bytesCrc()));
        } catch (UnreadableFileException e) {
            LOG.warn("event=journal_unreadable journal={} segment={}", io.describe(), segment.file(), e);
            return false;
        }
    }

    private OptionalInt crc(Segment segment, long from, int bytes) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer piece = ByteBuffer.allocate(Math.min(PIECE_BYTES, bytes));
        for (int done = 0; done < bytes; done += piece.limit()) {
            piece.clear().limit(Math.min(piece.capacity(), bytes - done));
            if (io.read(segment.file(), from + done, piece) < piece.limit()) {
                return OptionalInt.empty();
            }
            crc.update(piece.flip());
        }
        return OptionalInt.of((int) crc.getValue());
    }

    /** Records of a segment with good heads, from {@code leastLsn} on, whatever is between them. */
    private List<JournalRecord> survey(Segment segment, long leastLsn) throws IOException {
        List<JournalRecord> found = new ArrayList<>();
        long length = io.length(segment.file()).orElse(0);
        for (long at = Segment.HEAD_BYTES; at + JournalRecord.HEAD_BYTES <= length; ) {
            Optional<JournalRecord> record = readable(segment, at).filter(there -> isOf(segment, there, length));
            if (record.isPresent()) {
                if (record.get().lsn() >= leastLsn) {
                    found.add(record.get());
                }
                at = Segment.bytesAt(record.get(), at) + record.get().bytes();
            } else {
                at = nextMagic(segment, at + 1, length);
            }
        }
        return found;
    }

    private static boolean isOf(Segment segment, JournalRecord record, long length) {
        long number = record.lsn() - segment.firstLsn;
        return number >= 0 && number < length / JournalRecord.HEAD_BYTES;
    }

    /** Where the next record may begin; {@code length} when there is none. */
    private long nextMagic(Segment segment, long from, long length) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        for (long at = from; at < length; at += PIECE_BYTES - Integer.BYTES + 1) {
            piece.clear();
            try {
                io.read(segment.file(), at, piece);
            } catch (UnreadableFileException e) {
                continue; // the records in it are lost as well
            }
            piece.flip();
            for (int i = 0; i + Integer.BYTES <= piece.limit(); i++) {
                if (piece.getInt(i) == JournalRecord.MAGIC) {
                    return at + i;
                }
            }
        }
        return length;
    }

    private Optional<JournalRecord> readable(Segment segment, long at) throws IOException {
        try {
            return segment.recordAt(io, at);
        } catch (UnreadableFileException e) {
            return Optional.empty();
        }
    }

    /** On disk when it returns: records that follow must not be taken for parts of what was removed. */
    private void removeBehind(List<Long> surplus, boolean clean) throws IOException {
        if (!clean && !segments.isEmpty()) {
            Segment last = segments.get(segments.size() - 1);
            io.truncate(last.file(), last.end);
            io.sync(last.file());
        }
        remove(surplus);
    }

    private void remove(List<Long> surplus) throws IOException {
        for (long first : surplus) {
            LOG.info("event=journal_segment_removed journal={} segment={}", io.describe(), Segment.file(first));
            io.delete(Segment.file(first));
        }
        if (!surplus.isEmpty()) {
            io.syncDirectory("");
        }
    }
}

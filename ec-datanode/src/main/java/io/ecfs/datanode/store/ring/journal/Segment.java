package io.ecfs.datanode.store.ring.journal;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One file of a journal: a head, then records one after the other. Guarded by the lock of its {@link Journal}.
 *
 * <pre>
 *    0  long  magic                     24  long  id of the journal
 *    8  long  lsn of the first record   32  long  first lsn of the oldest segment that is needed
 *   16  long  salt of the records       40  int   CRC32C of all before it; zeros to 64, then all of it again
 * </pre>
 *
 * A segment is deleted only after the head of the one that is the oldest from then on says so, on disk. So the heads
 * that are there tell whether one is missing.
 */
final class Segment {
    static final int HEAD_BYTES = 128;
    private static final long MAGIC = 0x4543_4653_4a52_4e33L; // ECFSJRN3
    /** Of the magic numbers of all versions; their last byte is a digit. */
    private static final long VERSION_MASK = ~0xffL;

    private static final int SALT_AT = 16;
    private static final int JOURNAL_AT = 24;
    private static final int OLDEST_AT = 32;
    private static final int CRC_AT = 40;
    static final int COPY_BYTES = HEAD_BYTES / 2;
    private static final String SUFFIX = ".journal";

    final long firstLsn;
    final long salt;
    final long journal;
    private long oldest;
    long end = HEAD_BYTES;
    long lastLsn;
    long synced; // its bytes up to here are on disk

    /**
     * @param salt that no one else knows
     * @param journal id of the journal
     * @param oldest first lsn of the oldest segment that is needed
     */
    Segment(long firstLsn, long salt, long journal, long oldest) {
        this.firstLsn = firstLsn;
        this.salt = salt;
        this.journal = journal;
        this.oldest = oldest;
        this.lastLsn = firstLsn - 1;
    }

    String file() {
        return file(firstLsn);
    }

    static String file(long firstLsn) {
        return HexFormat.of().toHexDigits(firstLsn) + SUFFIX;
    }

    /** First lsn by the name of a segment; empty for a file that is none. */
    static OptionalLong parse(String name) {
        String digits = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : "";
        if (digits.length() != 16 || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(HexFormat.fromHexDigitsToLong(digits));
    }

    /** First lsn of the oldest segment that was needed when the head was written. */
    long oldest() {
        return oldest;
    }

    /** None before this one is needed any more: its head must be written again. */
    void becomesOldest() {
        oldest = firstLsn;
    }

    ByteBuffer head() {
        return ByteBuffer.allocate(HEAD_BYTES).put(copy()).put(copy()).flip();
    }

    /** One of the two copies of which the head consists. */
    ByteBuffer copy() {
        ByteBuffer copy = ByteBuffer.allocate(COPY_BYTES);
        copy.putLong(MAGIC).putLong(firstLsn).putLong(salt).putLong(journal).putLong(oldest);
        return copy.putInt(CRC_AT, JournalRecord.crcOf(copy.slice(0, CRC_AT))).clear();
    }

    /**
     * The segment that a file's head tells of, by the later one of its copies; empty when both are damaged.
     *
     * @throws EcfsException {@code INCOMPATIBLE_VERSION} in one line
     */
    static Optional<Segment> of(VolumeIo io, long firstLsn) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(HEAD_BYTES);
        io.read(file(firstLsn), 0, found);
        Optional<Segment> latest = Optional.empty();
        for (int at = 0; at + COPY_BYTES <= found.position(); at += COPY_BYTES) {
            ByteBuffer copy = found.slice(at, COPY_BYTES);
            Segment segment =
                    new Segment(firstLsn, copy.getLong(SALT_AT), copy.getLong(JOURNAL_AT), copy.getLong(OLDEST_AT));
            if (copy.equals(segment.copy())
                    && latest.filter(other -> other.oldest >= segment.oldest).isEmpty()) {
                latest = Optional.of(segment);
            }
        }
        if (latest.isEmpty()) {
            requireVersion(io, firstLsn, found);
        }
        return latest;
    }

    private static void requireVersion(VolumeIo io, long firstLsn, ByteBuffer head) throws EcfsException {
        long magic = head.position() < Long.BYTES ? MAGIC : head.getLong(0);
        char version = (char) (magic & 0xff);
        if (magic != MAGIC && (magic & VERSION_MASK) == (MAGIC & VERSION_MASK) && Character.isDigit(version)) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    io.describe() + "/" + file(firstLsn) + " has version " + version + ", this program knows "
                            + (char) (MAGIC & 0xff) + ": nothing was changed; start the release that wrote it, and"
                            + " pause the ring of the volume until nothing is staged");
        }
    }

    /** Returns whether both copies of a damaged head had been written: torn ones are missing at the end, or zeros. */
    static boolean headWasWritten(VolumeIo io, long firstLsn) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(HEAD_BYTES);
        io.read(file(firstLsn), 0, found);
        ByteBuffer zeros = ByteBuffer.allocate(COPY_BYTES);
        return !found.hasRemaining()
                && !found.slice(0, COPY_BYTES).equals(zeros)
                && !found.slice(COPY_BYTES, COPY_BYTES).equals(zeros);
    }

    /** The record at a position, its bytes not read; empty when there is none or it is damaged. */
    Optional<JournalRecord> recordAt(VolumeIo io, long position) throws IOException {
        ByteBuffer fixed = ByteBuffer.allocate(JournalRecord.HEAD_BYTES);
        if (io.read(file(), position, fixed) < JournalRecord.HEAD_BYTES) {
            return Optional.empty();
        }
        int pathBytes = JournalRecord.pathBytes(fixed.flip());
        if (pathBytes < 0) {
            return Optional.empty();
        }
        ByteBuffer whole = ByteBuffer.allocate(JournalRecord.HEAD_BYTES + pathBytes);
        io.read(file(), position, whole);
        return JournalRecord.decode(whole.flip(), salt);
    }

    /** Position of a record's bytes. */
    static long bytesAt(JournalRecord record, long position) {
        return position + JournalRecord.HEAD_BYTES + record.path().getBytes(StandardCharsets.UTF_8).length;
    }
}

package io.ecfs.datanode.store.ring.journal;

import io.ecfs.datanode.store.io.VolumeIo;
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
 *    0  long  magic    8  long  lsn of the first record    16  int  CRC32C of all before it    20  zeros to 64
 * </pre>
 */
final class Segment {
    static final int HEAD_BYTES = 64;
    private static final long MAGIC = 0x4543_4653_4a52_4e31L; // ECFSJRN1
    private static final String SUFFIX = ".journal";

    final long firstLsn;
    long end = HEAD_BYTES;
    long lastLsn;
    long synced; // its bytes up to here are on disk

    Segment(long firstLsn) {
        this.firstLsn = firstLsn;
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

    ByteBuffer head() {
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
        head.putLong(MAGIC).putLong(firstLsn);
        return head.putInt(16, JournalRecord.crcOf(head.slice(0, 16))).clear();
    }

    /** Returns whether the file has the head of this segment. */
    boolean headIsIn(VolumeIo io) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(HEAD_BYTES);
        return io.read(file(), 0, found) == HEAD_BYTES && found.flip().equals(head());
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
        return JournalRecord.decode(whole.flip());
    }

    /** Position of a record's bytes. */
    static long bytesAt(JournalRecord record, long position) {
        return position
                + JournalRecord.HEAD_BYTES
                + record.path().getBytes(StandardCharsets.UTF_8).length;
    }
}

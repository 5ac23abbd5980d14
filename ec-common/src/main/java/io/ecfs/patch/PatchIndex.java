package io.ecfs.patch;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Index of a patch group: the ranges of the file whose newest bytes lie in the group, when it was sealed. Its last
 * bytes, from an offset that the namenode stores with the group. Immutable.
 *
 * <pre>
 *   header   0 u32 magic "EPI", version 1   4 u32 entries   8 u64 number of the last batch   16 u64 file length
 *            24 u64 shortest file length   32 u32 CRC32C of bytes 0 to 31 and of the entries
 *   entry    0 u64 position   8 u32 length   12 u64 offset in the group            (big endian)
 * </pre>
 *
 * <p>Entries are in order of their positions and do not overlap. The <em>shortest file length</em> is the least that
 * the file had after any batch of the group, or before its first: what older groups have beyond it was truncated, even
 * if the file grew again.
 */
public final class PatchIndex {
    public static final int HEADER_BYTES = 36;
    public static final int ENTRY_BYTES = 20;

    private static final int MAGIC = 0x45504901;
    private static final int COUNT_AT = 4;
    private static final int NUMBER_AT = 8;
    private static final int FILE_LENGTH_AT = 16;
    private static final int SHORTEST_AT = 24;
    private static final int CRC_AT = 32;

    private final ByteBuffer bytes;

    private PatchIndex(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /**
     * Makes the index of a group from the map of its file.
     *
     * @param source of the group in the map
     * @param lastBatch number of the group's last batch
     * @param fileLength after that batch
     * @param shortestLength the least file length from the begin of the group on
     * @throws IllegalArgumentException for lengths that contradict each other or the map's entries
     */
    public static PatchIndex of(PatchMap map, int source, long lastBatch, long fileLength, long shortestLength) {
        if (lastBatch < 1 || shortestLength < 0 || shortestLength > fileLength || fileLength > Write.MAX_POSITION) {
            throw new IllegalArgumentException("no index ends with batch " + lastBatch + ", file length " + fileLength
                    + " and shortest length " + shortestLength);
        }
        int count = map.entries(source);
        ByteBuffer bytes = ByteBuffer.allocate(bytesOf(count));
        bytes.putInt(MAGIC).putInt(count).putLong(lastBatch).putLong(fileLength).putLong(shortestLength);
        bytes.position(HEADER_BYTES);
        map.entriesOf(source, (position, length, at, offset) -> {
            if (position + length > fileLength) {
                throw new IllegalArgumentException(
                        "the map has bytes up to " + (position + length) + " of a file of " + fileLength);
            }
            bytes.putLong(position).putInt((int) length).putLong(offset);
        });
        bytes.flip();
        bytes.putInt(CRC_AT, crc(bytes));
        return new PatchIndex(bytes);
    }

    /** Bytes of an index of so many entries. */
    public static int bytesOf(int entries) {
        return Math.addExact(HEADER_BYTES, Math.multiplyExact(ENTRY_BYTES, entries));
    }

    /** Encoded index: a view that cannot be written. */
    public ByteBuffer encode() {
        return bytes.asReadOnlyBuffer();
    }

    /**
     * Verifies and wraps an index.
     *
     * @param group in which it lies, for messages
     * @param indexOffset its begin in the group; all entries are in front of it
     * @param bytes the group's bytes from there to its end; retained, so that they must not change afterwards
     * @throws EcfsException {@code MALFORMED} for bytes that are not such an index
     */
    public static PatchIndex decode(GroupId group, long indexOffset, ByteBuffer bytes) throws EcfsException {
        ByteBuffer index = bytes.slice();
        if (index.remaining() < HEADER_BYTES || index.getInt(0) != MAGIC) {
            throw malformed(group, indexOffset, "does not begin as one");
        }
        int count = index.getInt(COUNT_AT);
        if (count < 0 || HEADER_BYTES + (long) ENTRY_BYTES * count != index.remaining()) {
            throw malformed(group, indexOffset, "of " + index.remaining() + " bytes cannot have " + count + " entries");
        }
        if (index.getInt(CRC_AT) != crc(index)) {
            throw malformed(group, indexOffset, "does not match its checksum");
        }
        PatchIndex decoded = new PatchIndex(index);
        if (!decoded.sound(indexOffset)) {
            throw malformed(group, indexOffset, "contradicts itself");
        }
        return decoded;
    }

    private boolean sound(long indexOffset) {
        if (lastBatch() < 1
                || shortestLength() < 0
                || shortestLength() > fileLength()
                || fileLength() > Write.MAX_POSITION) {
            return false;
        }
        long end = 0;
        for (int i = 0; i < count(); i++) {
            int length = length(i);
            if (length < 1
                    || length > PatchMap.MAX_PIECE_BYTES
                    || position(i) < end
                    || position(i) > fileLength() - length
                    || groupOffset(i) < 0
                    || groupOffset(i) > Math.min(indexOffset, PatchMap.MAX_OFFSET) - length) {
                return false;
            }
            end = position(i) + length;
        }
        return true;
    }

    private static EcfsException malformed(GroupId group, long indexOffset, String fault) {
        return new EcfsException(
                ErrorCode.MALFORMED,
                "the index at " + indexOffset + " of patch group " + group + " " + fault
                        + ": read the headers of the group's batches instead");
    }

    private static int crc(ByteBuffer index) {
        CRC32C crc = new CRC32C();
        crc.update(index.slice(0, CRC_AT));
        crc.update(index.slice(HEADER_BYTES, index.limit() - HEADER_BYTES));
        return (int) crc.getValue();
    }

    /** Number of the group's last batch. */
    public long lastBatch() {
        return bytes.getLong(NUMBER_AT);
    }

    /** Length of the file after the group's last batch. */
    public long fileLength() {
        return bytes.getLong(FILE_LENGTH_AT);
    }

    /** Least length of the file from the begin of the group to its end. */
    public long shortestLength() {
        return bytes.getLong(SHORTEST_AT);
    }

    /** Number of entries. */
    public int count() {
        return bytes.getInt(COUNT_AT);
    }

    /** Position in the file of entry {@code i}. */
    public long position(int i) {
        return bytes.getLong(at(i));
    }

    /** Bytes of entry {@code i}. */
    public int length(int i) {
        return bytes.getInt(at(i) + Long.BYTES);
    }

    /** Offset in the group of entry {@code i}. */
    public long groupOffset(int i) {
        return bytes.getLong(at(i) + Long.BYTES + Integer.BYTES);
    }

    private static int at(int i) {
        return HEADER_BYTES + ENTRY_BYTES * i;
    }
}

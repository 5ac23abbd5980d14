package io.ecfs.patch;

import io.ecfs.layout.Policy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * Layout of a batch of writes in a patch group. Immutable.
 *
 * <pre>
 *   begin                                                                              end
 *   | header | table       | zeros | data of write 0 | zeros | data of write 1 | ... | zeros |
 *     40 B     16 B a write
 *
 *   header   0 u32 magic "EPB", version 2   4 u64 nonce   12 u64 number   20 u64 file length   28 u32 writes
 *            32 u32 bytes   36 u32 CRC32C of bytes 0 to 35 and of the table
 *   a write  0 u64 position   8 u32 length   12 u32 offset of its data from the begin         (big endian)
 * </pre>
 *
 * <p>Header and table together are the <em>head</em>. The next batch begins where this one ends: at {@code begin +
 * bytes}. The bytes include gaps and padding, which are zeros.
 *
 * <p>In a batch of four writes or more, and in one that has a write of 4 KiB or more, the data begins at a multiple of
 * 4 KiB of the group, and so does each write of 4 KiB or more. Bytes that were written as a page are so read back as
 * one checksum window of one chunk. All other data lies directly behind what precedes it.
 *
 * <p>Writes are applied in order: of two that overlap, the later one counts. A batch ends no write beyond its file
 * length. A batch whose file length is below the one before it truncates the file first; so a truncation and a later
 * write beyond it are two batches. A batch without writes sets the file's length only.
 *
 * <p>The <em>nonce</em> is a random number of the file that the namenode stores. When a batch is cut by the failure of
 * a datanode, the next group begins with what is left of it: with bytes of a user, who can imitate a head but for the
 * nonce, which no read of the file returns.
 *
 * <p>The CRC covers the head. The data is covered by the checksums of the chunks. A batch does not exist unless all of
 * its bytes lie within the length of its group.
 */
public final class PatchBatch {
    public static final int HEADER_BYTES = 40;

    /** Bytes of the table for each write. */
    public static final int WRITE_BYTES = 16;

    /** Unit of alignment: one window of a chunk's checksums. */
    public static final int PAGE_BYTES = Policy.CHECKSUM_WINDOW_BYTES;

    /** Least number of writes whose data begins at a page. */
    public static final int ALIGNED_WRITES = 4;

    /** Largest batch, with gaps and padding. */
    public static final int MAX_BYTES = 256 * 1024 * 1024;

    /** Largest number of writes of a batch: bounds the head that a reader must load. */
    public static final int MAX_WRITES = 65_536;

    private static final int MAGIC = 0x45504202;
    private static final int NONCE_AT = 4;
    private static final int NUMBER_AT = 12;
    private static final int FILE_LENGTH_AT = 20;
    private static final int COUNT_AT = 28;
    private static final int BYTES_AT = 32;
    private static final int CRC_AT = HEADER_BYTES - Integer.BYTES;

    private final long groupOffset;
    private final long number;
    private final long fileLength;
    private final int bytes;
    private final long[] positions;
    private final int[] lengths;
    private final int[] dataOffsets;

    private PatchBatch(
            long groupOffset,
            long number,
            long fileLength,
            int bytes,
            long[] positions,
            int[] lengths,
            int[] dataOffsets) {
        this.groupOffset = groupOffset;
        this.number = number;
        this.fileLength = fileLength;
        this.bytes = bytes;
        this.positions = positions;
        this.lengths = lengths;
        this.dataOffsets = dataOffsets;
    }

    /**
     * Plans a batch without padding.
     *
     * @param groupOffset begin of the batch in its group
     * @param number of the batch, from 1; grows by 1 with each batch of the file
     * @param fileLength length of the file after the batch; no write ends beyond it
     * @throws IllegalArgumentException when the batch would be larger than {@link #MAX_BYTES} or has more than {@link
     *     #MAX_WRITES} writes ({@link #fitting} says how many fit), and for a number, offset or length out of range
     */
    public static PatchBatch plan(long groupOffset, long number, long fileLength, List<Write> writes) {
        if (groupOffset < 0
                || groupOffset > PatchMap.MAX_OFFSET - MAX_BYTES
                || number < 1
                || fileLength < 0
                || fileLength > Write.MAX_POSITION) {
            throw new IllegalArgumentException("no batch " + number + " is at " + groupOffset
                    + " of a group and makes a file of " + fileLength + " bytes");
        }
        if (fitting(groupOffset, Long.MAX_VALUE, writes) < writes.size()) {
            throw new IllegalArgumentException(writes.size() + " writes are more than a batch of " + MAX_WRITES
                    + " writes and " + MAX_BYTES + " bytes can have: make several batches");
        }
        int count = writes.size();
        long[] positions = new long[count];
        int[] lengths = new int[count];
        int[] dataOffsets = new int[count];
        Filling filling = new Filling(groupOffset);
        for (int i = 0; i < count; i++) {
            Write write = writes.get(i);
            if (write.end() > fileLength) {
                throw new IllegalArgumentException(write + " ends beyond the file's " + fileLength + " bytes");
            }
            positions[i] = write.position();
            lengths[i] = write.length();
            dataOffsets[i] = filling.add(write.length());
        }
        int dataBegin = (int) (filling.dataBegin() - groupOffset);
        Arrays.setAll(dataOffsets, i -> dataOffsets[i] + dataBegin);
        int bytes = (int) (filling.end() - groupOffset);
        return new PatchBatch(groupOffset, number, fileLength, bytes, positions, lengths, dataOffsets);
    }

    /**
     * Returns how many of the first writes make a batch that ends at or below a limit.
     *
     * @param groupOffset begin of the batch in its group
     * @param limit offset in the group, for example the end of a stripe
     * @return 0 when the first write alone does not fit
     */
    public static int fitting(long groupOffset, long limit, List<Write> writes) {
        long most = Math.min(limit, Math.addExact(groupOffset, MAX_BYTES));
        Filling filling = new Filling(groupOffset);
        for (int i = 0; i < writes.size(); i++) {
            filling.add(writes.get(i).length());
            if (i >= MAX_WRITES || filling.end() > most) {
                return i;
            }
        }
        return writes.size();
    }

    /** Data of a growing batch: offsets from where the data begins, which moves as the table grows. */
    private static final class Filling {
        private final long groupOffset;
        private int writes;
        private boolean page;
        private long dataBytes;

        Filling(long groupOffset) {
            this.groupOffset = groupOffset;
        }

        /** Returns the offset of the write's data from the begin of all data. */
        int add(int length) {
            writes++;
            if (length >= PAGE_BYTES) {
                page = true;
                dataBytes = toPage(dataBytes);
            }
            long offset = dataBytes;
            dataBytes += length;
            return (int) offset;
        }

        long dataBegin() {
            long headEnd = groupOffset + HEADER_BYTES + (long) WRITE_BYTES * writes;
            return page || writes >= ALIGNED_WRITES ? toPage(headEnd) : headEnd;
        }

        long end() {
            return dataBegin() + dataBytes;
        }

        private static long toPage(long offset) {
            return Math.multiplyExact(Math.addExact(offset, PAGE_BYTES - 1) / PAGE_BYTES, PAGE_BYTES);
        }
    }

    /**
     * The same batch, padded with zeros so that it ends at an offset of the group, for example the end of a stripe.
     *
     * @throws IllegalArgumentException when that is before its end, or makes it larger than {@link #MAX_BYTES}
     */
    public PatchBatch padTo(long groupEnd) {
        if (groupEnd < end() || groupEnd - groupOffset > MAX_BYTES) {
            throw new IllegalArgumentException("a batch that fills [" + groupOffset + ", " + end()
                    + ") cannot be padded to " + groupEnd + ": the limit is " + MAX_BYTES + " bytes");
        }
        int padded = (int) (groupEnd - groupOffset);
        return new PatchBatch(groupOffset, number, fileLength, padded, positions, lengths, dataOffsets);
    }

    /** The same bytes at another offset of a group, where its pages may begin at others than multiples of 4 KiB. */
    public PatchBatch at(long newGroupOffset) {
        return new PatchBatch(newGroupOffset, number, fileLength, bytes, positions, lengths, dataOffsets);
    }

    /**
     * Encodes header and table, ready to be read: {@link #headBytes()} bytes in memory of their own.
     *
     * @param nonce of the file
     */
    public ByteBuffer head(long nonce) {
        ByteBuffer head = ByteBuffer.allocate(headBytes());
        head.putInt(MAGIC).putLong(nonce).putLong(number).putLong(fileLength);
        head.putInt(count()).putInt(bytes);
        head.position(HEADER_BYTES);
        for (int i = 0; i < count(); i++) {
            head.putLong(positions[i]).putInt(lengths[i]).putInt(dataOffsets[i]);
        }
        head.flip();
        return head.putInt(CRC_AT, crc(head));
    }

    /**
     * First step of reading: the length of the head that begins with these bytes. Only {@link #parse} verifies it.
     *
     * @param header the first {@link #HEADER_BYTES} bytes, or more, of what may be a batch; its position is not moved
     * @param nonce of the file
     * @param groupOffset where they lie in the group
     * @param groupLength length of the group that was recovered or sealed, in user bytes
     * @return bytes of header and table; empty when no batch begins here that lies within the group
     */
    public static OptionalInt headBytes(ByteBuffer header, long nonce, long groupOffset, long groupLength) {
        if (header.remaining() < HEADER_BYTES || groupOffset < 0 || groupLength < groupOffset) {
            return OptionalInt.empty();
        }
        ByteBuffer head = header.slice(); // big endian, whatever the order of the original
        int count = head.getInt(COUNT_AT);
        int bytes = head.getInt(BYTES_AT);
        long fileLength = head.getLong(FILE_LENGTH_AT);
        boolean sound = head.getInt(0) == MAGIC
                && head.getLong(NONCE_AT) == nonce
                && head.getLong(NUMBER_AT) >= 1
                && fileLength >= 0
                && fileLength <= Write.MAX_POSITION
                && count >= 0
                && count <= MAX_WRITES
                && bytes >= HEADER_BYTES + WRITE_BYTES * count
                && bytes <= MAX_BYTES
                && bytes <= groupLength - groupOffset;
        return sound ? OptionalInt.of(HEADER_BYTES + WRITE_BYTES * count) : OptionalInt.empty();
    }

    /**
     * Second step of reading: the batch, verified. Whoever walks a group begins at 0, goes on at each batch's {@link
     * #end()}, and stops at the first empty result, or at a number that does not follow the one before.
     *
     * @param head header and table, or more, as {@link #headBytes(ByteBuffer, long, long, long)} says; its position is
     *     not moved
     * @param nonce of the file
     * @return empty when the bytes are not those of a batch that lies wholly within the group; bytes of any kind are no
     *     error, and no more memory is used than they have
     */
    public static Optional<PatchBatch> parse(ByteBuffer head, long nonce, long groupOffset, long groupLength) {
        OptionalInt needed = headBytes(head, nonce, groupOffset, groupLength);
        if (needed.isEmpty() || head.remaining() < needed.getAsInt()) {
            return Optional.empty();
        }
        int headBytes = needed.getAsInt();
        ByteBuffer table = head.slice(head.position(), headBytes);
        if (table.getInt(CRC_AT) != crc(table)) {
            return Optional.empty();
        }
        int count = table.getInt(COUNT_AT);
        int bytes = table.getInt(BYTES_AT);
        long fileLength = table.getLong(FILE_LENGTH_AT);
        long[] positions = new long[count];
        int[] lengths = new int[count];
        int[] dataOffsets = new int[count];
        int dataEnd = headBytes;
        for (int i = 0; i < count; i++) {
            int at = HEADER_BYTES + WRITE_BYTES * i;
            positions[i] = table.getLong(at);
            lengths[i] = table.getInt(at + Long.BYTES);
            dataOffsets[i] = table.getInt(at + Long.BYTES + Integer.BYTES);
            if (!Write.valid(positions[i], lengths[i])
                    || positions[i] + lengths[i] > fileLength
                    || dataOffsets[i] < dataEnd
                    || dataOffsets[i] > bytes - lengths[i]) {
                return Optional.empty();
            }
            dataEnd = dataOffsets[i] + lengths[i];
        }
        return Optional.of(new PatchBatch(
                groupOffset, table.getLong(NUMBER_AT), fileLength, bytes, positions, lengths, dataOffsets));
    }

    private static int crc(ByteBuffer head) {
        CRC32C crc = new CRC32C();
        crc.update(head.slice(0, CRC_AT));
        crc.update(head.slice(HEADER_BYTES, head.limit() - HEADER_BYTES));
        return (int) crc.getValue();
    }

    /** Begin of the batch in its group. */
    public long groupOffset() {
        return groupOffset;
    }

    /** End of the batch in its group, where the next one begins. */
    public long end() {
        return groupOffset + bytes;
    }

    /** All bytes from begin to end, with gaps and padding. */
    public int bytes() {
        return bytes;
    }

    /** Bytes of header and table. */
    public int headBytes() {
        return HEADER_BYTES + WRITE_BYTES * positions.length;
    }

    /** Place of the batch among those of the file, from 1. */
    public long number() {
        return number;
    }

    /** Length of the file after the batch. */
    public long fileLength() {
        return fileLength;
    }

    /** Number of writes. */
    public int count() {
        return positions.length;
    }

    /** Position in the file of write {@code i}. */
    public long position(int i) {
        return positions[i];
    }

    /** Bytes of write {@code i}. */
    public int length(int i) {
        return lengths[i];
    }

    /** Offset in the group, not in the batch, of the data of write {@code i}. */
    public long dataOffset(int i) {
        return groupOffset + dataOffsets[i];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PatchBatch batch
                && groupOffset == batch.groupOffset
                && number == batch.number
                && fileLength == batch.fileLength
                && bytes == batch.bytes
                && Arrays.equals(positions, batch.positions)
                && Arrays.equals(lengths, batch.lengths)
                && Arrays.equals(dataOffsets, batch.dataOffsets);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * groupOffset + number) + 31 * Arrays.hashCode(positions);
    }

    @Override
    public String toString() {
        return "batch " + number + " at " + groupOffset + ": " + count() + " writes, " + bytes + " bytes, file length "
                + fileLength;
    }
}

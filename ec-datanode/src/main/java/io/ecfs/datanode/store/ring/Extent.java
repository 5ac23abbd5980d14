package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.ring.journal.Journal;

/**
 * Staged bytes of a file, and where the journal has them.
 *
 * @param offset in the file
 * @param segment of the journal
 * @param position in the segment
 * @param crc CRC32C of the bytes, when they are all of one record
 * @param whole whether they are
 * @param written whether the device has them too, perhaps not on disk
 */
record Extent(long offset, int bytes, long segment, long position, int crc, boolean whole, boolean written) {
    static Extent of(Journal.Place at) {
        return new Extent(
                at.record().offset(),
                at.record().bytes(),
                at.segment(),
                at.position(),
                at.record().bytesCrc(),
                true,
                false);
    }

    long end() {
        return offset + bytes;
    }

    /** The part in [from, to), which must not be empty. */
    Extent part(long from, long to) {
        long first = Math.max(from, offset);
        long last = Math.min(to, end());
        boolean all = whole && first == offset && last == end();
        return new Extent(
                first, Math.toIntExact(last - first), segment, position + (first - offset), crc, all, written);
    }

    Extent as(boolean isWritten) {
        return new Extent(offset, bytes, segment, position, crc, whole, isWritten);
    }
}

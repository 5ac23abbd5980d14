package io.ecfs.datanode.store.ring.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Files that are drained although the journal can no longer record it, on the volume itself: their records must not
 * count at the next start. Thread-safe.
 *
 * <pre>
 *    0  long  magic     then for each range:     0  long  first file    16  int  CRC32C of both
 *                                                8  long  last file     20  int  0
 * </pre>
 *
 * A file of an earlier version has a number of 8 bytes for each file, and no magic.
 */
public final class DrainedFile {
    static final String NAME = "drained-2";
    static final String NAME_1 = "drained";

    private static final long MAGIC = 0x4543_4653_4452_4e32L; // ECFSDRN2
    private static final int RANGE_BYTES = 24;
    private static final int CRC_AT = 16;

    private final StagingArea area;

    public DrainedFile(StagingArea area) {
        this.area = area;
    }

    public LsnRanges read() throws IOException {
        LsnRanges drained = new LsnRanges();
        for (ByteBuffer all = area.get(NAME_1); all.remaining() >= Long.BYTES; ) {
            long file = all.getLong();
            drained.add(file, file);
        }
        ByteBuffer all = area.get(NAME);
        if (all.remaining() < Long.BYTES || all.getLong() != MAGIC) {
            return drained; // torn: what follows it was not done
        }
        while (all.remaining() >= RANGE_BYTES) {
            ByteBuffer range = all.slice(all.position(), RANGE_BYTES);
            if (range.equals(encode(range.getLong(0), range.getLong(Long.BYTES)))) {
                drained.add(range.getLong(0), range.getLong(Long.BYTES));
            }
            all.position(all.position() + RANGE_BYTES);
        }
        return drained;
    }

    /** On disk when it returns. */
    public synchronized void add(LsnRanges files) throws IOException {
        long ranges = Math.max(0, area.length(NAME).orElse(0) - Long.BYTES) / RANGE_BYTES;
        ByteBuffer all = ByteBuffer.allocate(Long.BYTES + files.lastByFirst().size() * RANGE_BYTES);
        if (ranges == 0) {
            all.putLong(MAGIC);
        }
        files.lastByFirst().forEach((first, last) -> all.put(encode(first, last)));
        area.put(NAME, ranges == 0 ? 0 : Long.BYTES + ranges * RANGE_BYTES, all.flip());
    }

    private static ByteBuffer encode(long first, long last) {
        ByteBuffer range = ByteBuffer.allocate(RANGE_BYTES).putLong(first).putLong(last);
        CRC32C crc = new CRC32C();
        crc.update(range.slice(0, CRC_AT));
        return range.putInt((int) crc.getValue()).clear();
    }

    public synchronized void delete() throws IOException {
        area.remove(NAME_1);
        area.remove(NAME);
    }
}

package io.ecfs.datanode.store.ring.device;

import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
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
    static final String NAME = StagingArea.DIRECTORY + "/drained-2";
    static final String NAME_1 = StagingArea.DIRECTORY + "/drained";

    private static final long MAGIC = 0x4543_4653_4452_4e32L; // ECFSDRN2
    private static final int RANGE_BYTES = 24;
    private static final int CRC_AT = 16;

    private final VolumeIo device;
    private final DeviceNames names;

    public DrainedFile(VolumeIo device, DeviceNames names) {
        this.device = device;
        this.names = names;
    }

    public LsnRanges read() throws IOException {
        LsnRanges drained = new LsnRanges();
        for (ByteBuffer all = bytes(NAME_1); all.remaining() >= Long.BYTES; ) {
            long file = all.getLong();
            drained.add(file, file);
        }
        ByteBuffer all = bytes(NAME);
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

    private ByteBuffer bytes(String name) throws IOException {
        OptionalLong length = device.length(name);
        if (length.isEmpty()) {
            return ByteBuffer.allocate(0);
        }
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(length.getAsLong()));
        device.read(name, 0, all);
        return all.flip();
    }

    /** On disk when it returns. */
    public synchronized void add(LsnRanges files) throws IOException {
        OptionalLong length = device.length(NAME);
        if (length.isEmpty()) {
            device.createDirectory(StagingArea.DIRECTORY);
            device.create(NAME);
        }
        long ranges = Math.max(0, length.orElse(0) - Long.BYTES) / RANGE_BYTES;
        if (ranges == 0) {
            device.write(NAME, 0, ByteBuffer.allocate(Long.BYTES).putLong(MAGIC).flip());
        }
        ByteBuffer all = ByteBuffer.allocate(files.lastByFirst().size() * RANGE_BYTES);
        files.lastByFirst().forEach((first, last) -> all.put(encode(first, last)));
        device.write(NAME, Long.BYTES + ranges * RANGE_BYTES, all.flip());
        device.sync(NAME);
        names.sync(StagingArea.DIRECTORY);
        names.sync("");
    }

    private static ByteBuffer encode(long first, long last) {
        ByteBuffer range = ByteBuffer.allocate(RANGE_BYTES).putLong(first).putLong(last);
        CRC32C crc = new CRC32C();
        crc.update(range.slice(0, CRC_AT));
        return range.putInt((int) crc.getValue()).clear();
    }

    public synchronized void delete() throws IOException {
        boolean any = false;
        for (String name : new String[] {NAME_1, NAME}) {
            if (device.length(name).isPresent()) {
                device.delete(name);
                any = true;
            }
        }
        if (any) {
            names.sync(StagingArea.DIRECTORY);
        }
    }
}

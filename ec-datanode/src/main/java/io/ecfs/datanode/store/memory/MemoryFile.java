package io.ecfs.datanode.store.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Bytes as the process sees them, and what of them a power failure would leave. */
final class MemoryFile {
    static final int SECTOR = 4096;

    private final Set<Integer> badSectors = new TreeSet<>();
    private byte[] bytes = new byte[0];
    private int length;
    // As of the last sync; null while nothing was changed since.
    private byte[] durable = new byte[0];
    private final List<Change> unsynced = new ArrayList<>();

    /** A write of {@code bytes} at {@code at}, or with null a cut to {@code at}. */
    private record Change(int at, byte[] bytes) {}

    int length() {
        return length;
    }

    int read(int offset, byte[] into) {
        int n = Math.max(0, Math.min(into.length, length - offset));
        if (n > 0) {
            System.arraycopy(bytes, offset, into, 0, n);
        }
        return n;
    }

    /** The medium below a sector fails. */
    void failSector(int sector) {
        badSectors.add(sector);
    }

    /** Returns whether a read of these bytes fails. */
    boolean unreadable(long offset, int count) {
        long end = Math.min(length, offset + count);
        return badSectors.stream().anyMatch(bad -> (long) bad * SECTOR < end && offset < (bad + 1L) * SECTOR);
    }

    void write(int offset, byte[] from) {
        badSectors.removeIf(bad -> offset <= (long) bad * SECTOR && (bad + 1L) * SECTOR <= offset + (long) from.length);
        keepDurable();
        unsynced.add(new Change(offset, from));
        put(offset, from, from.length);
    }

    void truncate(int newLength) {
        if (newLength >= length) {
            return;
        }
        keepDurable();
        unsynced.add(new Change(newLength, null));
        cut(newLength);
    }

    void sync() {
        durable = null;
        unsynced.clear();
    }

    /** A bit rots: on the disk and in every copy of it. */
    void flip(int byteOffset, int bit) {
        if (byteOffset >= length) {
            throw new IllegalArgumentException("no byte " + byteOffset + " in a file of " + length);
        }
        bytes[byteOffset] ^= (byte) (1 << bit);
        if (durable != null && byteOffset < durable.length) {
            durable[byteOffset] ^= (byte) (1 << bit);
        }
    }

    /** Every unsynced change, on its own, reaches the disk, does not, or does up to some byte: disks reorder. */
    void losePower(RandomGenerator random) {
        if (durable == null) {
            return;
        }
        bytes = durable.clone();
        length = bytes.length;
        int mood = random.nextInt(3);
        for (Change change : unsynced) {
            boolean reachesDisk = mood == 0 || (mood == 1 && random.nextBoolean());
            if (!reachesDisk) {
                continue;
            }
            if (change.bytes == null) {
                cut(Math.min(length, change.at));
            } else {
                boolean torn = random.nextInt(4) == 0 && change.bytes.length > 0;
                put(change.at, change.bytes, torn ? random.nextInt(change.bytes.length) : change.bytes.length);
            }
        }
        sync();
    }

    private void keepDurable() {
        if (durable == null) {
            durable = Arrays.copyOf(bytes, length);
        }
    }

    private void put(int offset, byte[] from, int count) {
        int end = Math.addExact(offset, count);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, Math.min(Integer.MAX_VALUE / 2, bytes.length) * 2));
        }
        System.arraycopy(from, 0, bytes, offset, count);
        length = Math.max(length, end);
    }

    private void cut(int newLength) {
        Arrays.fill(bytes, newLength, length, (byte) 0);
        length = newLength;
    }
}

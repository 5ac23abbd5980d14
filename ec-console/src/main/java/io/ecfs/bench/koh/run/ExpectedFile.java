package io.ecfs.bench.koh.run;

import io.ecfs.bench.load.Content;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes that a file must hold: of each block the place in a pool of random bytes where those of the last write to
 * it lie. Every write has another place, so a read tells which write it saw. For one thread.
 */
final class ExpectedFile {
    /** Of one file: so many places are in memory. */
    static final long MOST_BLOCKS = 1L << 24;

    private static final int HOLE = -1;

    private final Content content;
    private final ByteBuffer pool;
    private final long id;
    private final int blockBytes;
    private final int[] places;
    private final byte[] zeros;
    private long length;
    private long writes;

    /**
     * An empty file.
     *
     * @param id of its bytes, as of no other file of the run
     * @param mostBytes that it will have
     * @param blockBytes a power of two; positions and lengths of all writes are multiples of it
     */
    ExpectedFile(Content content, long id, long mostBytes, int blockBytes) {
        this.content = content;
        this.pool = ByteBuffer.wrap(content.pool()).asReadOnlyBuffer();
        this.id = id;
        this.blockBytes = blockBytes;
        this.places = new int[Math.toIntExact((mostBytes + blockBytes - 1) / blockBytes)];
        this.zeros = new byte[blockBytes];
        Arrays.fill(places, HOLE);
    }

    /** Id of the bytes of {@link #fill}, for those who write them. */
    long filledId() {
        return 2 * id;
    }

    /** It was written from one end to the other with the bytes of {@link #filledId}. */
    void fill(long bytes) {
        for (int i = 0; (long) i * blockBytes < bytes; i++) {
            long position = (long) i * blockBytes;
            places[i] = content.offset(filledId(), position / Content.SLICE) + (int) (position % Content.SLICE);
        }
        length = bytes;
    }

    long length() {
        return length;
    }

    /** Bytes for the next write there, which the file must hold from now on. */
    ByteBuffer write(long position, int bytes) {
        ByteBuffer data = bytes <= Content.SLICE ? null : ByteBuffer.allocate(bytes);
        for (int at = 0; at < bytes; at += Content.SLICE) {
            int part = Math.min(Content.SLICE, bytes - at);
            int place = content.offset(2 * id + 1, writes++);
            for (int within = 0; within < part; within += blockBytes) {
                places[block(position + at + within)] = place + within;
            }
            if (data == null) {
                data = pool.slice(place, part);
            } else {
                data.put(pool.slice(place, part));
            }
        }
        length = Math.max(length, position + bytes);
        return bytes <= Content.SLICE ? data : data.flip();
    }

    /** True when these are the bytes of the file from there on. */
    boolean holds(long position, byte[] bytes, int count) {
        for (int at = 0; at < count; ) {
            int first = block(position + at);
            int run = 1;
            while (at + (long) run * blockBytes < count && follows(first, run)) {
                run++;
            }
            int end = (int) Math.min(count, at + (long) run * blockBytes);
            if (!holds(places[first], bytes, at, end)) {
                return false;
            }
            at = end;
        }
        return true;
    }

    private boolean follows(int first, int run) {
        return places[first] != HOLE && places[first + run] == places[first] + run * blockBytes;
    }

    private boolean holds(int place, byte[] bytes, int from, int to) {
        return place == HOLE
                ? Arrays.equals(bytes, from, to, zeros, 0, to - from)
                : Arrays.equals(bytes, from, to, content.pool(), place, place + to - from);
    }

    private int block(long position) {
        return Math.toIntExact(position / blockBytes);
    }
}

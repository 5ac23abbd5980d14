package io.ecfs.buffer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Direct memory in large pieces, retained when it is returned and reused, the most recently used piece first. It bounds
 * the retained bytes, not the bytes in use: that is what a {@link MemoryBudget} is for. Safe for use by several
 * threads.
 */
final class RetainedMemory {
    /** The instance of this process: the data path's buffers of all its daemons and clients come from here. */
    static final RetainedMemory OF_PROCESS = new RetainedMemory(128L << 20);

    /** A piece is at most an eighth larger than the request. */
    private static final int STEPS_PER_DOUBLING = 8;

    private final long bound;
    // Free pieces by size, the size that was used last at the end.
    @GuardedBy("this")
    private final Map<Integer, Deque<CleanableDirectBuffer>> free = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("this")
    private long retainedBytes;

    /** @param bound most bytes that are retained unused */
    RetainedMemory(long bound) {
        this.bound = bound;
    }

    /**
     * Takes a piece of at least so many bytes, with arbitrary content.
     *
     * @throws OutOfMemoryError when there is no direct memory left, even after all retained pieces were freed
     */
    CleanableDirectBuffer take(int bytes) {
        int size = pieceBytes(bytes);
        CleanableDirectBuffer piece = takeRetained(size);
        if (piece != null) {
            return piece;
        }
        try {
            return PlatformDependent.allocateDirect(size);
        } catch (OutOfMemoryError scarce) {
            if (!shrinkTo(0)) {
                throw scarce;
            }
            return PlatformDependent.allocateDirect(size);
        }
    }

    /** Ends the use of a piece. */
    void give(CleanableDirectBuffer piece) {
        int size = piece.buffer().capacity();
        synchronized (this) {
            free.computeIfAbsent(size, s -> new ArrayDeque<>()).push(piece);
            retainedBytes += size;
        }
        shrinkTo(bound);
    }

    synchronized long retainedBytes() {
        return retainedBytes;
    }

    static int pieceBytes(int bytes) {
        int step = Math.max(1, Integer.highestOneBit(Math.max(1, bytes - 1)) / STEPS_PER_DOUBLING);
        return (int) Math.min(Integer.MAX_VALUE, ((long) bytes + step - 1) / step * step);
    }

    private synchronized CleanableDirectBuffer takeRetained(int size) {
        Deque<CleanableDirectBuffer> pieces = free.get(size);
        if (pieces == null || pieces.isEmpty()) {
            return null;
        }
        retainedBytes -= size;
        return pieces.pop();
    }

    /** Returns pieces to the system, least recently used size first; false when there were none. */
    private synchronized boolean shrinkTo(long most) {
        boolean shrunk = false;
        Iterator<Map.Entry<Integer, Deque<CleanableDirectBuffer>>> sizes =
                free.entrySet().iterator();
        while (retainedBytes > most && sizes.hasNext()) {
            Map.Entry<Integer, Deque<CleanableDirectBuffer>> size = sizes.next();
            while (retainedBytes > most && !size.getValue().isEmpty()) {
                size.getValue().removeLast().clean();
                retainedBytes -= size.getKey();
                shrunk = true;
            }
            if (size.getValue().isEmpty()) {
                sizes.remove();
            }
        }
        return shrunk;
    }
}

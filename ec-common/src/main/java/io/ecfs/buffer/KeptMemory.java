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
 * Direct memory in large pieces, kept when it comes back and given out again, the warmest piece first. It bounds what
 * is kept, not what is out: that is what a {@link MemoryBudget} is for. Safe for use by several threads.
 */
final class KeptMemory {
    /**
     * A process's memory is one thing, whoever in it needs some: the data path's buffers of all daemons and clients
     * come from here.
     */
    static final KeptMemory OF_PROCESS = new KeptMemory(128L << 20);

    /** A piece is at most an eighth larger than what was asked for. */
    private static final int STEPS_PER_DOUBLING = 8;

    private final long bound;
    // Free pieces by size, the size that was used last at the end.
    @GuardedBy("this")
    private final Map<Integer, Deque<CleanableDirectBuffer>> free = new LinkedHashMap<>(16, 0.75f, true);
    @GuardedBy("this")
    private long keptBytes;

    /** @param bound most bytes that are kept while nobody uses them */
    KeptMemory(long bound) {
        this.bound = bound;
    }

    /**
     * A piece of at least so many bytes, with anything in it.
     *
     * @throws OutOfMemoryError when there is no direct memory left, also after all that was kept was given up
     */
    CleanableDirectBuffer take(int bytes) {
        int size = pieceBytes(bytes);
        CleanableDirectBuffer piece = takeKept(size);
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
            keptBytes += size;
        }
        shrinkTo(bound);
    }

    synchronized long keptBytes() {
        return keptBytes;
    }

    static int pieceBytes(int bytes) {
        int step = Math.max(1, Integer.highestOneBit(Math.max(1, bytes - 1)) / STEPS_PER_DOUBLING);
        return (int) Math.min(Integer.MAX_VALUE, ((long) bytes + step - 1) / step * step);
    }

    private synchronized CleanableDirectBuffer takeKept(int size) {
        Deque<CleanableDirectBuffer> pieces = free.get(size);
        if (pieces == null || pieces.isEmpty()) {
            return null;
        }
        keptBytes -= size;
        return pieces.pop();
    }

    /**
     * Gives pieces back to the system, those of the size that was not used for longest first; false when there was
     * nothing to give.
     */
    private synchronized boolean shrinkTo(long most) {
        boolean shrunk = false;
        Iterator<Map.Entry<Integer, Deque<CleanableDirectBuffer>>> sizes =
                free.entrySet().iterator();
        while (keptBytes > most && sizes.hasNext()) {
            Map.Entry<Integer, Deque<CleanableDirectBuffer>> size = sizes.next();
            while (keptBytes > most && !size.getValue().isEmpty()) {
                size.getValue().removeLast().clean();
                keptBytes -= size.getKey();
                shrunk = true;
            }
            if (size.getValue().isEmpty()) {
                sizes.remove();
            }
        }
        return shrunk;
    }
}

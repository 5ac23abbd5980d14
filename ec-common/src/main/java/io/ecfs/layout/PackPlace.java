package io.ecfs.layout;

/**
 * The place of a file's bytes in a group that several files share: from a multiple of {@value #ALIGNMENT} bytes on, and
 * within one cell if they fit one, so that one read of one chunk gets them. Clients that write a pack and rewrites
 * place files by it. The gaps are zeros.
 *
 * <p>Cells of the group's last, partial stripe are smaller once it is sealed ({@link GroupLayout}): bytes there may lie
 * in several.
 *
 * <p>Part of the log's format: the namenodes compute the places of a rewrite's files when they apply its commit, also
 * where an earlier release began it. A change needs a feature level.
 */
public final class PackPlace {
    /** So that no checksum window of a full stripe has bytes of two files. */
    public static final int ALIGNMENT = Policy.CHECKSUM_WINDOW_BYTES;

    private PackPlace() {}

    /**
     * The first such place of a group at or behind {@code end}. It never decreases when {@code end} grows.
     *
     * @param bytes at least one
     */
    public static long begin(Policy policy, long end, long bytes) {
        long aligned = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        long cell = policy.cellBytes();
        boolean fits = aligned / cell == (aligned + bytes - 1) / cell;
        return fits || bytes > cell ? aligned : (aligned / cell + 1) * cell;
    }

    /**
     * End of the last of so many files of one length, each at the first place behind the one before it, from 0 on. It
     * holds across groups too, which end where a cell does.
     *
     * @param files at least one
     * @param bytes of each, at least one
     */
    public static long end(Policy policy, long files, long bytes) {
        if (files < 1 || bytes < 1) {
            throw new IllegalArgumentException("a pack has a file of a byte or more, got " + files + " of " + bytes);
        }
        long cell = policy.cellBytes();
        long aligned = Math.addExact(bytes, ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        long before = files - 1;
        if (bytes > cell) {
            return Math.addExact(Math.multiplyExact(before, aligned), bytes);
        }
        long inCell = cell / aligned; // both are whole pages
        long begin = Math.addExact(Math.multiplyExact(before / inCell, cell), before % inCell * aligned);
        return Math.addExact(begin, bytes);
    }
}

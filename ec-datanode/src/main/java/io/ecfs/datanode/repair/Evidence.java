package io.ecfs.datanode.repair;

/**
 * Evidence for the bytes of a chunk that is being rebuilt, beside the sources that they were computed from. It only
 * grows, in the order of its constants:
 *
 * <pre>
 *   COPIED --a slice is computed--&gt; NONE --two sets of sources give the same--&gt; CROSS_CHECKED
 *   any of these --all of it is like the chunk that it replaces--&gt; EQUAL_TO_ORIGINAL
 *                --two sets of sources give different bytes------&gt; SOURCES_DIFFER
 *                --it is not like the chunk that it replaces-----&gt; DIFFERS_FROM_ORIGINAL
 * </pre>
 */
enum Evidence {
    /** Nothing was computed so far: what was read is what was written. */
    COPIED,
    /** Its sources alone. */
    NONE,
    /** Some slices are the same when they are computed from other sources. */
    CROSS_CHECKED,
    /** It is like the chunk that it replaces. */
    EQUAL_TO_ORIGINAL,
    /** One of the sources is wrong: the attempt ends. */
    SOURCES_DIFFER,
    /** One of the sources, or the chunk that it replaces, is wrong: the attempt ends. */
    DIFFERS_FROM_ORIGINAL;

    /** Combines it with further evidence. */
    Evidence and(Evidence found) {
        return found.compareTo(this) > 0 ? found : this;
    }

    /** Returns whether the chunk is as reliable as one that its writer stored. */
    boolean speaksForIt() {
        return this == COPIED || this == CROSS_CHECKED || this == EQUAL_TO_ORIGINAL;
    }
}

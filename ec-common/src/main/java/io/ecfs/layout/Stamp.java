package io.ecfs.layout;

/**
 * Stamps are 32 random bits that tell groups of the same number apart: the group that the present facts know, and one
 * that was allocated before they were rolled back. A group's facts, its block tokens, the headers of its chunks and
 * orders to delete them carry its stamp, and a chunk with another one is never read, changed or deleted as a chunk of
 * the group.
 */
public final class Stamp {
    /** Of groups and chunks of the release before stamps. */
    public static final int NONE = 0;

    private Stamp() {}
}

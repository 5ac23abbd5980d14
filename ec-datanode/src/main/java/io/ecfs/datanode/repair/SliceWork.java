package io.ecfs.datanode.repair;

/**
 * A slice under way.
 *
 * @param granted bytes of the shared memory that are its own until it ends
 */
record SliceWork(Slice slice, Recipe recipe, SliceBuffer buffer, long granted) {}

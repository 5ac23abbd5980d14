package io.ecfs.layout;

/**
 * A run of group bytes that lies in one cell of one data chunk.
 *
 * @param groupOffset where the run begins in the group's user data
 * @param chunkIndex the data chunk, in [0, k)
 * @param chunkOffset where the run begins in that chunk
 * @param bytes length of the run; at least 1
 * @param stripe number of the stripe it belongs to
 */
public record CellRange(long groupOffset, int chunkIndex, long chunkOffset, int bytes, long stripe) {}

package io.ecfs.datanode.repair;

import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * A stretch of a chunk that is rebuilt at a time: any run of whole checksum windows of the full stripes, or of the tail
 * cell, which ends where it ends; a whole cell for a code with sub-chunks.
 *
 * @param offset of its first byte in every chunk of the group
 * @param codedBytes as the code sees it, implicit zeros included: the same for every chunk
 * @param storedBytes of the chunk that is rebuilt
 * @param tail it is of the tail's cell
 */
record Slice(long offset, int codedBytes, int storedBytes, boolean tail) {

    /** Those of a chunk that have stored bytes, in order. */
    static List<Slice> of(GroupLayout layout, int index, int mostBytes) {
        return of(layout, index, mostBytes, 0);
    }

    /** The same without the first {@code from} bytes, which are cells of full stripes. */
    static List<Slice> of(GroupLayout layout, int index, int mostBytes, long from) {
        Policy policy = layout.policy();
        int most = policy.code().subChunks() > 1
                ? policy.cellBytes()
                : Math.max(Policy.CHECKSUM_WINDOW_BYTES, mostBytes - mostBytes % Policy.CHECKSUM_WINDOW_BYTES);
        List<Slice> slices = new ArrayList<>();
        long full = layout.fullStripeChunkBytes();
        for (long at = from; at < full; at += most) {
            int bytes = (int) Math.min(most, full - at);
            slices.add(new Slice(at, bytes, bytes, false));
        }
        int tail = Math.toIntExact(layout.chunkBytes(index) - full);
        for (int at = 0; at < tail; at += most) {
            int coded = Math.min(most, layout.tailCellBytes() - at);
            slices.add(new Slice(full + at, coded, Math.min(coded, tail - at), true));
        }
        return slices;
    }

    /** Bytes that the code needs of a source, implicit zeros included. */
    int readBytes(Recipe recipe, int source) {
        return Math.toIntExact(recipe.planOf(source).bytesRead(source, codedBytes));
    }

    /** Bytes that the code needs of all sources. */
    long readBytes(Recipe recipe) {
        return recipe.sources().stream()
                .mapToLong(source -> readBytes(recipe, source))
                .sum();
    }

    /**
     * Returns whether the bytes read of a source must be assembled: they are not contiguous, or may end before the
     * slice.
     */
    boolean gathers(Recipe recipe, int source) {
        return tail || readBytes(recipe, source) < codedBytes;
    }
}

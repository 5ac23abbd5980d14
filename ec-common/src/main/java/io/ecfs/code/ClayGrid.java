package io.ecfs.code;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The geometry of a Clay code: its nodes on a grid of q columns and t rows, and its alpha = q^t planes.
 *
 * <pre>
 *   clay-6-3-8: q = 3, t = 3, 27 planes        plane z = (z0 z1 z2) in base q, z0 most significant
 *      row 0   [ 0 ] [ 1 ] [ 2 ]               node (x, y) with z_y = x is a dot of the plane: its symbol stands alone.
 *      row 1   [ 3 ] [ 4 ] [ 5 ]               Any other symbol (x, y; z) has a partner: (z_y, y; z with z_y set to x).
 *      row 2   [ 6 ] [ 7 ] [ 8 ]
 * </pre>
 *
 * Data chunks are nodes 0..k-1; then come nu = -n mod q virtual nodes that hold zeros and are never stored; then the
 * parity chunks.
 */
public record ClayGrid(int k, int m, int d) {
    /** Ratio of a helper's stored bytes to the bytes that it reads. */
    public int q() {
        return d - k + 1;
    }

    /** The nodes that hold zeros. */
    int virtual() {
        return Math.floorMod(-(k + m), q());
    }

    /** n + nu = q t. */
    public int nodes() {
        return k + virtual() + m;
    }

    int t() {
        return nodes() / q();
    }

    /** alpha; {@link Integer#MAX_VALUE} if it is no int. */
    public int subChunks() {
        long planes = 1;
        for (int y = 0; y < t() && q() > 1 && planes <= Integer.MAX_VALUE; y++) {
            planes *= q();
        }
        return (int) Math.min(planes, Integer.MAX_VALUE);
    }

    public int node(int chunk) {
        return chunk < k ? chunk : chunk + virtual();
    }

    int x(int node) {
        return node % q();
    }

    public int y(int node) {
        return node / q();
    }

    /** q^(t-1-y): planes that differ in digit y alone are so far apart, or a multiple of it. */
    int weight(int y) {
        int weight = 1;
        for (int i = t() - 1; i > y; i--) {
            weight *= q();
        }
        return weight;
    }

    int digit(int plane, int y) {
        return plane / weight(y) % q();
    }

    public boolean isDot(int node, int plane) {
        return digit(plane, y(node)) == x(node);
    }

    /** The node whose symbol is paired with the node's in a plane where it is no dot. */
    public int partner(int node, int plane) {
        return y(node) * q() + digit(plane, y(node));
    }

    /** The plane in which the partner's symbol lies. */
    public int partnerPlane(int node, int plane) {
        int y = y(node);
        return plane + (x(node) - digit(plane, y)) * weight(y);
    }

    /** The planes of which the node is a dot, as runs: what its helpers read when it is lost. */
    public List<SubChunkRange> repairRuns(int node) {
        int run = weight(y(node));
        int runs = subChunks() / (run * q());
        return IntStream.range(0, runs)
                .mapToObj(j -> (j * q() + x(node)) * run)
                .map(from -> new SubChunkRange(from, from + run))
                .toList();
    }
}

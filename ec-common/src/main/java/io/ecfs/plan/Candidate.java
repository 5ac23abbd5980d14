package io.ecfs.plan;

/**
 * A chunk that may be read for a block.
 *
 * @param index of the chunk in its block
 * @param site what a request waits for; here a volume, by any number that the asker chose. At most one chunk of a block
 *     at a site, by the rules of placement, but more are no error
 * @param bytes that would be read of it: z_i of the paper
 * @param extra what taking it costs besides, in the unit of the costs: to decode with it, or a doubt about it
 */
public record Candidate(int index, int site, long bytes, double extra) {
    public Candidate {
        if (index < 0 || bytes < 0) {
            throw new IllegalArgumentException("chunk " + index + " of " + bytes + " bytes");
        }
        if (!(extra >= 0) || Double.isInfinite(extra)) {
            throw new IllegalArgumentException("chunk " + index + " with extra costs of " + extra);
        }
    }

    /** A chunk that costs its reading alone. */
    public Candidate(int index, int site, long bytes) {
        this(index, site, bytes, 0);
    }
}

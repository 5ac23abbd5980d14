package io.ecfs.bench.bed;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Sites of the chunks of each block, at most one chunk of a block at a site; a byte per chunk, since there are
 * millions.
 */
final class ChunkMap {
    private final int chunks;
    private final byte[] sites;
    private final int[] chunkBytes;

    /**
     * Places every block at random.
     *
     * @param chunks of a block
     * @param chunkBytes by block
     */
    ChunkMap(int sites, int chunks, int[] chunkBytes, SplittableRandom random) {
        if (chunks > sites || sites > Byte.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "blocks of " + chunks + " chunks need as many sites, at most " + Byte.MAX_VALUE + "; got " + sites);
        }
        this.chunks = chunks;
        this.chunkBytes = chunkBytes;
        this.sites = new byte[Math.multiplyExact(chunkBytes.length, chunks)];
        byte[] order = new byte[sites];
        for (int i = 0; i < sites; i++) {
            order[i] = (byte) i;
        }
        for (int block = 0; block < chunkBytes.length; block++) {
            for (int i = 0; i < chunks; i++) {
                int other = i + random.nextInt(sites - i);
                byte drawn = order[other];
                order[other] = order[i];
                order[i] = drawn;
                this.sites[block * chunks + i] = drawn;
            }
        }
    }

    /** Chunks of a block. */
    int chunks() {
        return chunks;
    }

    /** Of all chunks. */
    long storedBytes() {
        return chunks * Arrays.stream(chunkBytes).asLongStream().sum();
    }

    int chunkBytes(int block) {
        return chunkBytes[block];
    }

    int site(int block, int chunk) {
        return sites[block * chunks + chunk];
    }

    boolean has(int block, int site) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            if (site(block, chunk) == site) {
                return true;
            }
        }
        return false;
    }

    void move(int block, int chunk, int site) {
        if (has(block, site)) {
            throw new IllegalArgumentException("block " + block + " has a chunk at site " + site + " already");
        }
        sites[block * chunks + chunk] = (byte) site;
    }
}

package io.ecfs.plan.write;

import io.ecfs.layout.WriteSide;

/**
 * A write of one record, by the numbers that its cost depends on. Records that are shorter than a stripe share it, and
 * all counts are in proportion; longer records take several stripes.
 *
 * @param side that encodes
 * @param dataChunks k
 * @param parityChunks m
 * @param cellBytes of a stripe's cells
 * @param recordBytes R, of one write
 * @param fileBytes of the file that the write is a part of, at least a record's, or {@link #ENDLESS}
 * @param groupBytes of user data in one group, for which the namenode is asked once, or {@link #ENDLESS}
 */
public record WriteShape(
        WriteSide side,
        int dataChunks,
        int parityChunks,
        long cellBytes,
        long recordBytes,
        long fileBytes,
        long groupBytes) {
    /** For a file that never ends, or a group that is never full: they take no calls. */
    public static final long ENDLESS = Long.MAX_VALUE;

    /** To create a file and to close it. */
    private static final int CALLS_OF_A_FILE = 2;

    public WriteShape {
        if (dataChunks < 1 || parityChunks < 0 || cellBytes < 1 || recordBytes < 1 || groupBytes < 1) {
            throw new IllegalArgumentException("a write has data chunks, cells, bytes and groups, got k=" + dataChunks
                    + " m=" + parityChunks + " cell=" + cellBytes + " record=" + recordBytes + " group=" + groupBytes);
        }
        if (fileBytes < recordBytes) {
            throw new IllegalArgumentException(
                    "a file of " + fileBytes + " bytes has no record of " + recordBytes + " bytes");
        }
    }

    /** A record of an endless file, in one stripe, as the paper has it: each slave gets R/k. */
    public static WriteShape ofOneStripe(WriteSide side, int dataChunks, int parityChunks, long recordBytes) {
        return new WriteShape(
                side, dataChunks, parityChunks, Math.max(1, recordBytes / dataChunks), recordBytes, ENDLESS, ENDLESS);
    }

    /** The same write encoded by the other machine. */
    public WriteShape by(WriteSide other) {
        return new WriteShape(other, dataChunks, parityChunks, cellBytes, recordBytes, fileBytes, groupBytes);
    }

    /** n = k + m. */
    public int chunks() {
        return dataChunks + parityChunks;
    }

    /** Cells of a stripe that leave the machine that encodes: n from a client, n - 1 from a master. */
    public int fanOut() {
        return side == WriteSide.CLIENT ? chunks() : chunks() - 1;
    }

    /** Stripes of one write, a fraction where several writes share one. */
    public double stripes() {
        return recordBytes / ((double) dataChunks * cellBytes);
    }

    /** R/k. */
    public double columnBytes() {
        return (double) recordBytes / dataChunks;
    }

    /** Bytes of all cells that leave the machine that encodes. */
    public double fanOutBytes() {
        return columnBytes() * fanOut();
    }

    /** Calls to the namenode that fall to one write. */
    public double calls() {
        if (fileBytes == ENDLESS) {
            return groupBytes == ENDLESS ? 0 : (double) recordBytes / groupBytes;
        }
        double groups = groupBytes == ENDLESS ? 0 : Math.ceil((double) fileBytes / groupBytes);
        return (CALLS_OF_A_FILE + groups) * recordBytes / fileBytes;
    }

    /** Bytes of one write that leave the client. */
    public double clientBytes() {
        return side == WriteSide.CLIENT ? fanOutBytes() : recordBytes;
    }

    /** Bytes of one write on all links, each byte counted where it leaves. */
    public double networkBytes() {
        return side == WriteSide.CLIENT ? fanOutBytes() : recordBytes + fanOutBytes();
    }

    /** Bytes that one write stores: n/k of it. */
    public double storedBytes() {
        return columnBytes() * chunks();
    }
}

package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.exstorus.BedRuns;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WriteShape;

/**
 * Records of one size written to files under one code.
 *
 * @param recordBytes of one write
 * @param records of one file
 * @param files written one after the other
 */
record WriteMix(int dataChunks, int parityChunks, long cellBytes, long recordBytes, int records, int files) {
    WriteMix {
        if (records < 1 || files < 1) {
            throw new IllegalArgumentException("a mix has files of records, got " + files + " of " + records);
        }
    }

    /** The paper's code, a record in each stripe where that is a cell for each slave. */
    static WriteMix ofThePaper(long recordBytes, int records) {
        int k = BedRuns.DATA;
        return new WriteMix(k, BedRuns.PARITY, BedRuns.cellBytes(k, recordBytes), recordBytes, records, 1);
    }

    Policy policy() {
        return Policy.parse("rs-" + dataChunks + "-" + parityChunks + "-" + cellBytes / 1024 + "k");
    }

    long fileBytes() {
        return records * recordBytes;
    }

    long bytes() {
        return files * fileBytes();
    }

    WriteShape shape(WriteSide side) {
        return new WriteShape(
                side, dataChunks, parityChunks, cellBytes, recordBytes, fileBytes(), policy().groupBytes());
    }

    /** {@code 4+2, cells of 32 K, records of 128 K}. */
    @Override
    public String toString() {
        return dataChunks + "+" + parityChunks + ", cells of " + cellBytes / 1024 + " K, records of "
                + recordBytes / 1024 + " K";
    }
}

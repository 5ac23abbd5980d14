package io.ecfs.bench.bed.erails;

import io.ecfs.code.CodeSpec;

/** Processor time of coding one object, in nanoseconds of one core. */
public interface CodingTimes {
    /**
     * To compute data chunks from others.
     *
     * @param lost data chunks to compute
     * @param chunkBytes of each
     */
    long decodeNanos(CodeSpec code, int lost, long chunkBytes);

    /** To compute all parity chunks. */
    long encodeNanos(CodeSpec code, long chunkBytes);

    /** One rate for each code, in bytes of chunks computed a second: for runs that must not depend on a machine. */
    static CodingTimes constant(double bytesPerSecond) {
        return new CodingTimes() {
            @Override
            public long decodeNanos(CodeSpec code, int lost, long chunkBytes) {
                return Math.round(1e9 * lost * chunkBytes / bytesPerSecond);
            }

            @Override
            public long encodeNanos(CodeSpec code, long chunkBytes) {
                return Math.round(1e9 * code.parityChunks() * chunkBytes / bytesPerSecond);
            }
        };
    }

    /** As fast as one likes: what is left are the devices. */
    static CodingTimes none() {
        return constant(Double.POSITIVE_INFINITY);
    }
}

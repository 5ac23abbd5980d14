package io.ecfs.jmh;

import java.nio.ByteBuffer;

/** ISA-L's ec_encode_data in a C loop over a batch of stripes within one JNI call: the limit of that library. */
final class IsalLoop implements Coder {
    static {
        System.load(System.getProperty("ecfs.bench.native") + "/libisalpeer.so");
    }

    private final Workload workload;
    private final int k;
    private final int m;
    private final int lost;
    private final long encoding;
    private final long decoding;
    private final long[] base;
    private final long[] encodeAddresses;
    private final long[] decodeAddresses;

    IsalLoop(Workload workload) {
        this.workload = workload;
        this.k = workload.spec().dataChunks();
        this.m = workload.spec().parityChunks();
        this.lost = Math.min(k, m);
        this.encoding = prepare(k, m, 0);
        this.decoding = prepare(k, m, lost);
        this.base = new long[workload.stripes()];
        for (int s = 0; s < base.length; s++) {
            base[s] = address(workload.stripe(s)[0]);
        }
        this.encodeAddresses = new long[workload.batch() * (k + m)];
        this.decodeAddresses = new long[workload.batch() * (k + lost)];
    }

    /** The matrix of encoding, or with {@code lost} above 0 that of decoding the first so many data cells. */
    private static native long prepare(int k, int m, int lost);

    private static native void run(long prepared, long[] addresses, int stripes, int bytes);

    private static native long address(ByteBuffer buffer);

    @Override
    public void encode() {
        for (int i = 0; i < workload.batch(); i++) {
            long from = base[workload.next()];
            for (int c = 0; c < k + m; c++) {
                encodeAddresses[i * (k + m) + c] = from + (long) c * workload.cellBytes();
            }
        }
        run(encoding, encodeAddresses, workload.batch(), workload.cellBytes());
    }

    @Override
    public void decode() {
        for (int i = 0; i < workload.batch(); i++) {
            long from = base[workload.next()];
            for (int c = 0; c < k + lost; c++) {
                int chunk = c < k ? lost + c : c - k;
                decodeAddresses[i * (k + lost) + c] = from + (long) chunk * workload.cellBytes();
            }
        }
        run(decoding, decodeAddresses, workload.batch(), workload.cellBytes());
    }
}

package io.ecfs.jmh;

import java.io.File;
import java.nio.ByteBuffer;

/**
 * Jerasure's cauchy_good and liberation in a C loop over a batch of stripes within one JNI call. Cells are cut to a
 * multiple of w packets of 2 KiB, with which it is fastest.
 */
final class JerasureLoop implements Coder {
    private static final int PACKET = 2048;

    private final Workload workload;
    private final int chunks;
    private final int lost;
    private final long handle;
    private final int bytes;
    private final long[] addresses;

    JerasureLoop(Workload workload) {
        System.load(library().getPath());
        this.workload = workload;
        int k = workload.spec().dataChunks();
        int m = workload.spec().parityChunks();
        this.chunks = k + m;
        this.lost = Math.min(k, m);
        int w = workload.spec().subChunks();
        this.handle = prepare(workload.spec().toString().startsWith("liberation"), k, m, w, PACKET);
        this.bytes = cellBytes(workload);
        this.addresses = new long[workload.batch() * chunks];
    }

    private static File library() {
        return new File(System.getProperty("ecfs.bench.native"), "libjerasurepeer.so");
    }

    static boolean isInstalled() {
        return library().exists();
    }

    private static native long prepare(boolean liberation, int k, int m, int w, int packet);

    private static native void run(long prepared, int lost, long[] addresses, int stripes, int bytes);

    private static native long address(ByteBuffer buffer);

    private void run(int lostNow) {
        for (int i = 0; i < workload.batch(); i++) {
            long from = address(workload.stripe(workload.next())[0]);
            for (int c = 0; c < chunks; c++) {
                addresses[i * chunks + c] = from + (long) c * workload.cellBytes();
            }
        }
        run(handle, lostNow, addresses, workload.batch(), bytes);
    }

    static int cellBytes(Workload workload) {
        int unit = workload.spec().subChunks() * PACKET;
        return workload.cellBytes() / unit * unit;
    }

    @Override
    public void encode() {
        run(0);
    }

    @Override
    public void decode() {
        run(lost);
    }
}

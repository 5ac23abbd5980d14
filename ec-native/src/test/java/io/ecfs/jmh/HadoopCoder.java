package io.ecfs.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;

/** Hadoop's Reed-Solomon in pure Java, on the same direct buffers. */
final class HadoopCoder implements Coder {
    private final Workload workload;
    private final RSRawEncoder encoder;
    private final RSRawDecoder decoder;
    private final int k;
    private final int m;
    private final int[] erased;
    private final ByteBuffer[] in;
    private final ByteBuffer[] out;

    HadoopCoder(Workload workload) {
        this.workload = workload;
        this.k = workload.spec().dataChunks();
        this.m = workload.spec().parityChunks();
        ErasureCoderOptions options = new ErasureCoderOptions(k, m);
        this.encoder = new RSRawEncoder(options);
        this.decoder = new RSRawDecoder(options);
        this.erased = new int[Math.min(m, k)];
        Arrays.setAll(erased, i -> i);
        this.in = new ByteBuffer[k + m];
        this.out = new ByteBuffer[m];
    }

    /** Hadoop moves the positions of what it is given. */
    private static ByteBuffer view(ByteBuffer cell) {
        return cell.duplicate();
    }

    @Override
    public void encode() throws IOException {
        for (int i = 0; i < workload.batch(); i++) {
            ByteBuffer[] stripe = workload.stripe(workload.next());
            ByteBuffer[] data = new ByteBuffer[k];
            Arrays.setAll(data, c -> view(stripe[c]));
            Arrays.setAll(out, c -> view(stripe[k + c]));
            encoder.encode(data, out);
        }
    }

    @Override
    public void decode() throws IOException {
        for (int i = 0; i < workload.batch(); i++) {
            ByteBuffer[] stripe = workload.stripe(workload.next());
            Arrays.setAll(in, c -> c < erased.length || c >= k + erased.length ? null : view(stripe[c]));
            ByteBuffer[] lost = new ByteBuffer[erased.length];
            Arrays.setAll(lost, c -> view(stripe[c]));
            decoder.decode(in, erased, lost);
        }
    }
}

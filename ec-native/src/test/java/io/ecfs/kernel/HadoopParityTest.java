package io.ecfs.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawEncoder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parity is that of Hadoop's coders byte for byte, and each decodes what the other encoded. */
class HadoopParityTest {
    private static final int BYTES = 537;

    private static byte[][] encodedByHadoop(CodeSpec spec, byte[][] data) throws IOException {
        ErasureCoderOptions options = new ErasureCoderOptions(spec.dataChunks(), spec.parityChunks());
        RawErasureEncoder encoder =
                spec.toString().startsWith("xor") ? new XORRawEncoder(options) : new RSRawEncoder(options);
        byte[][] parity = new byte[spec.parityChunks()][BYTES];
        encoder.encode(data, parity);
        encoder.release();
        return parity;
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(buffer.position(), copy);
        return copy;
    }

    @ParameterizedTest
    @CsvSource({
        "rs-3-2, java",
        "rs-3-2, isal",
        "rs-6-3, java",
        "rs-6-3, isal",
        "rs-10-4, java",
        "rs-10-4, isal",
        "rs-12-4, isal",
        "rs-1-1, isal",
        "rs-24-8, isal",
        "xor-2-1, java",
        "xor-2-1, isal",
        "xor-5-1, isal",
        "rs-6-3, native",
        "rs-10-4, native",
        "xor-2-1, native"
    })
    void parityEqualsHadoops(String name, String kernel) throws IOException {
        CodeSpec spec = CodeSpec.parse(name);
        ErasureCode code = ErasureCodes.create(spec, Kernels.choose(kernel));
        byte[][] data = randomData(spec);
        ByteBuffer[] in = new ByteBuffer[data.length];
        ByteBuffer[] out = new ByteBuffer[spec.parityChunks()];
        for (int i = 0; i < in.length; i++) {
            in[i] = direct(data[i]);
        }
        for (int i = 0; i < out.length; i++) {
            out[i] = ByteBuffer.allocateDirect(BYTES);
        }
        code.encode(in, out);
        byte[][] expected = encodedByHadoop(spec, data);
        for (int i = 0; i < out.length; i++) {
            assertThat(bytes(out[i])).as("parity %s", i).isEqualTo(expected[i]);
        }
    }

    @ParameterizedTest
    @CsvSource({"rs-3-2, java", "rs-6-3, isal", "rs-6-3, native", "rs-10-4, isal", "xor-2-1, isal"})
    void eachDecodesEveryLossOfWhatTheOtherEncoded(String name, String kernel) throws IOException {
        CodeSpec spec = CodeSpec.parse(name);
        ErasureCode code = ErasureCodes.create(spec, Kernels.choose(kernel));
        byte[][] data = randomData(spec);
        byte[][] parity = encodedByHadoop(spec, data);
        byte[][] chunks = new byte[spec.chunks()][];
        System.arraycopy(data, 0, chunks, 0, data.length);
        System.arraycopy(parity, 0, chunks, data.length, parity.length);

        for (int bits = 1; bits < 1 << spec.chunks(); bits++) {
            if (Integer.bitCount(bits) > spec.parityChunks()) {
                continue;
            }
            int chosen = bits;
            ChunkSet lost = ChunkSet.of(IntStream.range(0, spec.chunks())
                    .filter(i -> (chosen >>> i & 1) != 0)
                    .toArray());
            RepairPlan plan = (RepairPlan)
                    code.plan(lost, ChunkSet.range(0, spec.chunks()).minus(lost));
            Map<Integer, ByteBuffer> reads = new TreeMap<>();
            plan.sources().forEach(index -> reads.put(index, direct(chunks[index])));
            Map<Integer, ByteBuffer> outputs = new TreeMap<>();
            lost.forEach(index -> outputs.put(index, ByteBuffer.allocateDirect(BYTES)));
            code.repair(plan, reads, outputs);
            outputs.forEach((index, output) ->
                    assertThat(bytes(output)).as("ours: %s of %s", index, lost).isEqualTo(chunks[index]));

            byte[][] decoded = decodedByHadoop(spec, chunks, lost);
            int at = 0;
            for (int index : lost) {
                assertThat(decoded[at++]).as("Hadoop: %s of %s", index, lost).isEqualTo(bytes(outputs.get(index)));
            }
        }
    }

    private static byte[][] decodedByHadoop(CodeSpec spec, byte[][] chunks, ChunkSet lost) throws IOException {
        ErasureCoderOptions options = new ErasureCoderOptions(spec.dataChunks(), spec.parityChunks());
        RawErasureDecoder decoder =
                spec.toString().startsWith("xor") ? new XORRawDecoder(options) : new RSRawDecoder(options);
        byte[][] inputs = chunks.clone();
        lost.forEach(index -> inputs[index] = null);
        byte[][] decoded = new byte[lost.size()][BYTES];
        decoder.decode(inputs, lost.toArray(), decoded);
        decoder.release();
        return decoded;
    }

    private static byte[][] randomData(CodeSpec spec) {
        Random random = new Random(spec.chunks());
        byte[][] data = new byte[spec.dataChunks()][BYTES];
        for (byte[] cell : data) {
            random.nextBytes(cell);
        }
        return data;
    }
}

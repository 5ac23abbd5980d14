package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.kernel.Program;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;

/**
 * Lends each thread arrays to put buffers in order in, so that repairs allocate nothing. No buffer stays in them after
 * a run.
 */
final class BufferArrays {
    /** By length, made when first used. */
    private final ThreadLocal<ByteBuffer[][][]> arrays =
            ThreadLocal.withInitial(() -> new ByteBuffer[2][ChunkSet.LIMIT + 1][]);

    /** Runs the program on the buffers of the given chunks, each side ascending by chunk, for any order of the maps. */
    void run(
            Program program,
            ChunkSet sources,
            Map<Integer, ByteBuffer> reads,
            ChunkSet lost,
            Map<Integer, ByteBuffer> outputs) {
        ByteBuffer[][][] mine = arrays.get();
        ByteBuffer[] in = ordered(mine[0], sources, reads);
        ByteBuffer[] out = ordered(mine[1], lost, outputs);
        try {
            program.run(in, out);
        } finally {
            Arrays.fill(in, null);
            Arrays.fill(out, null);
        }
    }

    /** Runs the program on one input. */
    void run(Program program, ByteBuffer input, ByteBuffer[] outputs) {
        ByteBuffer[] in = ofLength(arrays.get()[0], 1);
        in[0] = input;
        try {
            program.run(in, outputs);
        } finally {
            in[0] = null;
        }
    }

    private static ByteBuffer[] ordered(ByteBuffer[][] byLength, ChunkSet chunks, Map<Integer, ByteBuffer> buffers) {
        ByteBuffer[] array = ofLength(byLength, chunks.size());
        int at = 0;
        for (int index = chunks.next(0); index >= 0; index = chunks.next(index + 1)) {
            array[at++] = buffers.get(index);
        }
        return array;
    }

    private static ByteBuffer[] ofLength(ByteBuffer[][] byLength, int length) {
        if (byLength[length] == null) {
            byLength[length] = new ByteBuffer[length];
        }
        return byLength[length];
    }
}

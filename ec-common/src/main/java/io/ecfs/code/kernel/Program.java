package io.ecfs.code.kernel;

import java.nio.ByteBuffer;

/** A {@link Schedule} in the form that a kernel works with. Immutable and safe for use by many threads at once. */
public interface Program {
    /**
     * Runs the schedule once. Costs one crossing to native code at most, and allocates nothing.
     *
     * <p>Buffers are direct; their bytes are those of {@code [position, limit)}, and position and limit stay as they
     * are. A buffer of r regions has r times as many bytes as a region, and regions have one length, any from 0 up.
     * Outputs are not read-only and overlap neither inputs nor each other.
     *
     * @param inputs one buffer for each of {@link Schedule#inputs()}
     * @param outputs one buffer for each of {@link Schedule#outputs()}
     * @throws IllegalArgumentException for buffers that are not so; nothing is written then
     */
    void run(ByteBuffer[] inputs, ByteBuffer[] outputs);
}

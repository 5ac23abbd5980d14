package io.ecfs.kernel;

import java.nio.ByteBuffer;

/** Memory outside the heap that lives as long as its buffer, aligned to a cache line. */
final class NativeMemory {
    private static final int LINE = 64;

    private NativeMemory() {}

    static ByteBuffer allocate(long bytes) {
        return ByteBuffer.allocateDirect(Math.toIntExact(bytes + LINE));
    }

    /** The address of the first whole line of a buffer of {@link #allocate}. */
    static long alignedAddress(ByteBuffer buffer) {
        return (NativeCalls.address(buffer) + LINE - 1) / LINE * LINE;
    }
}

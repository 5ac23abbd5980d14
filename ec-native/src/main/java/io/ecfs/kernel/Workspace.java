package io.ecfs.kernel;

import java.nio.ByteBuffer;

/** One thread's memory to run native programs in: addresses, pointers and scratch. Grows, never shrinks. */
final class Workspace {
    /** Memory at the address; the reference prevents its release. */
    private ByteBuffer buffer = NativeMemory.allocate(4096);

    private long memory = NativeMemory.alignedAddress(buffer);
    private long bytes = 4096;

    /** The address of at least so many bytes; the same until a call requests more. */
    long memory(long atLeast) {
        if (bytes < atLeast) {
            buffer = NativeMemory.allocate(atLeast);
            memory = NativeMemory.alignedAddress(buffer);
            bytes = atLeast;
        }
        return memory;
    }
}

package io.ecfs.kernel;

import java.nio.ByteBuffer;

/** What one thread runs native programs in: memory for addresses, pointers and scratch. Grows, never shrinks. */
final class Workspace {
    /** Keeps the memory behind its address. */
    private ByteBuffer held = NativeMemory.allocate(4096);

    private long memory = NativeMemory.alignedAddress(held);
    private long bytes = 4096;

    /** The address of at least so many bytes; the same until a call asks for more. */
    long memory(long atLeast) {
        if (bytes < atLeast) {
            held = NativeMemory.allocate(atLeast);
            memory = NativeMemory.alignedAddress(held);
            bytes = atLeast;
        }
        return memory;
    }
}

package io.ecfs.kernel;

import java.io.FileDescriptor;
import java.nio.ByteBuffer;

/**
 * The functions of the library in {@code src/main/c}. Nothing is checked here or there: {@link CompiledProgram} does
 * it.
 */
final class NativeCalls {
    /** The number of the kernel over ISA-L. */
    static final int ISAL = 0;

    private NativeCalls() {}

    /** Opens ISA-L by the name of its shared library. Null if it is open, else the reason why not. */
    static native String openIsal(String library);

    /** The file that {@link #openIsal} found. */
    static native String isalFile();

    /** The widest instructions that ISA-L's dispatcher takes on this processor: avx512, avx2, avx, sse or base. */
    static native String isalInstructions();

    /** Calls {@code syncfs} for the file system of a directory. Null when all is on disk, else the reason why not. */
    static native String syncFileSystem(String directory);

    /**
     * Opens a regular file for reading, without following a symbolic link at its end. Its number, or the error's below
     * zero.
     */
    static native int openToRead(String file);

    /**
     * Puts the number of an open regular file into an object that has none. Null when it is done, else the reason why
     * not.
     */
    static native String adopt(FileDescriptor file, int number);

    /** The text of an error of the system. */
    static native String errorText(int error);

    /**
     * Number of kernels of the library. They have numbers from 0 on, fastest first behind ISA-L, which has
     * {@link #ISAL}.
     */
    static native int kernels();

    /** For example {@code isal} or {@code avx512-gfni}. */
    static native String kernelName(int kernel);

    /** Returns whether this processor has the kernel's instructions; for ISA-L whether it is open. */
    static native boolean runsHere(int kernel);

    /** The address of the first byte of a direct buffer, regardless of its position. */
    static native long address(ByteBuffer buffer);

    /**
     * Number of bytes that {@link #build} needs for a program of that code and kernel, in the form of
     * {@code program.h}.
     */
    static native long programBytes(int kernel, int[] code);

    /**
     * Builds a program in memory aligned to 64 bytes.
     *
     * @return how many bytes of workspace a run takes
     */
    static native long build(int kernel, int[] code, byte[] coefficients, long memory);

    /** Writes the addresses of up to eight buffers, {@code null} behind the last, from {@code addresses} on. */
    static native void place(
            long addresses,
            ByteBuffer a,
            ByteBuffer b,
            ByteBuffer c,
            ByteBuffer d,
            ByteBuffer e,
            ByteBuffer f,
            ByteBuffer g,
            ByteBuffer h);

    /**
     * Runs a program. Buffers are given one by one, {@code null} behind the last, because C can tell an argument's
     * address in a fraction of the time that it needs for an element of an array.
     *
     * @param workspace memory aligned to 64 bytes that only the calling thread uses; the addresses of buffers from the
     *     17th on stand there already, at 8 bytes for each buffer
     * @param bytes the length of a region
     * @return -1, or without a run the first output that overlaps a buffer before it, times 2^32, plus that buffer;
     *     outputs are counted behind the inputs
     */
    static native long run(
            long program,
            long workspace,
            long bytes,
            ByteBuffer a,
            ByteBuffer b,
            ByteBuffer c,
            ByteBuffer d,
            ByteBuffer e,
            ByteBuffer f,
            ByteBuffer g,
            ByteBuffer h,
            ByteBuffer i,
            ByteBuffer j,
            ByteBuffer k,
            ByteBuffer l,
            ByteBuffer m,
            ByteBuffer n,
            ByteBuffer o,
            ByteBuffer p);
}

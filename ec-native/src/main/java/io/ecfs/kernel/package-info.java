/**
 * The kernels in C through JNI, found by {@link java.util.ServiceLoader} as {@link
 * io.ecfs.code.kernel.KernelProvider}s; and {@code syncfs}, as {@link io.ecfs.env.FileSystemSync}.
 *
 * <p>The jar carries a small library of ours; it opens the system's {@code libisal.so.2} when that is asked for.
 * Whatever is missing on the way (another processor, no ISA-L, no place to unpack) is a reason handed to the caller and
 * never an exception, so that the pure Java kernel can take over and say why.
 *
 * <p>What always holds: every address that crosses JNI is that of a buffer which was checked to be direct, long enough
 * and, for outputs, writable, and which stays reachable until the call returns.
 */
package io.ecfs.kernel;

/**
 * Arithmetic on bytes: a {@link io.ecfs.code.kernel.Schedule} says which regions of buffers are combined with which
 * coefficients of GF(2^8), a {@link io.ecfs.code.kernel.GaloisKernel} prepares it once as a
 * {@link io.ecfs.code.kernel.Program}, which runs it on direct buffers. {@link io.ecfs.code.kernel.Kernels} picks the
 * fastest kernel of this machine; the one in Java is always there, and those in C come through
 * {@link io.ecfs.code.kernel.KernelProvider}.
 *
 * <p>What always holds: kernels and programs are safe for use by many threads at once; a run touches only the bytes
 * between position and limit of its buffers; no kernel knows what a code is.
 */
package io.ecfs.code.kernel;

/**
 * Erasure codes: pure arithmetic on direct buffers, without I/O, network, clock or threads of its own.
 *
 * <p>{@link io.ecfs.code.CodeSpec} names a code ({@code rs-6-3}), and {@link io.ecfs.code.ErasureCode} encodes, plans
 * repairs, repairs and updates; {@code code.construction} builds it. Chunks are named by their index in the group
 * (0..k-1 data, k..n-1 parity) and never by a position in an array of survivors: reads and outputs of a repair are maps
 * by chunk index.
 *
 * <p>Always true: codes are immutable to their callers and safe for use by many threads at once; a call touches only
 * the bytes between position and limit of the buffers it is given and leaves position and limit alone.
 */
package io.ecfs.code;

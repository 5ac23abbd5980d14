/**
 * Construction of the codes of each family: {@link io.ecfs.code.construction.ErasureCodes} builds the code that a
 * {@link io.ecfs.code.CodeSpec} names, out of the family's reads and schedules and of a
 * {@link io.ecfs.code.kernel.GaloisKernel}.
 *
 * <p>Always true: codes are immutable to their callers and safe for use by many threads at once; their cache of loss
 * patterns is bounded.
 */
package io.ecfs.code.construction;

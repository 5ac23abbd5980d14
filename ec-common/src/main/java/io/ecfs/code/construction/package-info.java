/**
 * How the codes of each family compute: {@link io.ecfs.code.construction.ErasureCodes} builds the code that a
 * {@link io.ecfs.code.CodeSpec} names, out of the family's reads and schedules and of a
 * {@link io.ecfs.code.kernel.GaloisKernel}.
 *
 * <p>What always holds: codes are immutable to their callers and safe for use by many threads at once; what they
 * remember of loss patterns is bounded in memory.
 */
package io.ecfs.code.construction;

/**
 * Workloads with resource accounting: {@code ecfs bench}. A {@link io.ecfs.bench.BenchPlan} says what to run; a
 * {@link io.ecfs.bench.Bench} runs it on a {@link io.ecfs.bench.system.Target} (a given cluster, or its own) and hands out
 * figures; {@code load} has what workloads are made of, {@code meter} says what they cost, {@code report} shows them;
 * {@code soak} asks instead whether load and faults together pass a bound or lose a byte.
 *
 * <p>The rules of measuring are those of the HDFS peer, so that both can be laid side by side: data are slices of 1 MiB
 * at hashed offsets of a random pool that was made before the clock starts; a write ends with close; every file is read
 * back once outside the clock and compared; a warm-up comes before the first repetition; before each timed part the
 * disks are flushed, garbage is collected, and chunks of deleted files are gone; policies take turns within each
 * repetition.
 *
 * <p>Threads: one thread runs the bench; the workers of a {@link io.ecfs.bench.load.Crew} do the work and live as long
 * as it.
 */
package io.ecfs.bench;

/**
 * What load is made of: bytes that say where they belong, files of them written and read back, a crew of threads, and
 * latencies one by one. Workloads, the soak and their checks share it; it knows none of them.
 *
 * <p>Threads: the workers of a {@link io.ecfs.bench.load.Crew} do the work and live as long as it.
 */
package io.ecfs.bench.load;

/**
 * What breaks in a simulated cluster, within a budget: crashes, torn writes, lost power, partitions, vanished clients,
 * wrong parity, drawn from the seed by the {@link io.ecfs.sim.trouble.Adversary}, or one crash at a chosen moment by
 * the {@link io.ecfs.sim.trouble.CrashInjector}. One thread. What must always hold: the trouble stays within what the
 * system promises to survive, so every failure is a bug.
 */
package io.ecfs.sim.trouble;

/**
 * What a simulated run must keep: the {@link io.ecfs.sim.check.Auditor} checks it after each step, the {@link
 * io.ecfs.sim.check.FinalReading} reads back every acknowledged byte. Reads the cluster and changes nothing but by
 * clients' requests. One thread.
 */
package io.ecfs.sim.check;

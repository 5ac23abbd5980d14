/**
 * A whole control plane in one thread, on virtual time, from one seed: real namenodes, datanodes and clients on
 * simulated networks, disks, clocks and chance.
 *
 * <pre>
 *   Simulation ── sim.cluster     hosts and clients
 *        ├─────── sim.trouble     crashes, torn writes, lost power, partitions, storms, vanished clients: within a
 *        │                        budget; in a few worlds namenodes that are rolled back or meet a damaged entry,
 *        │                        parity that is wrong, leases that end under their writers, power lost in the middle
 *        │                        of writes, and bits that flip
 *        ├─────── sim.script      or, in a SimulatedExperiment: the faults of a profile, its load, their outcome
 *        ├─────── sim.check       what must hold after every step, what a quiet world must have come to, and every byte
 *        │                        that was acknowledged, read back
 *        └─────── sim.network, sim.time    one event after the other
 * </pre>
 *
 * What must always hold: nothing here reads a real clock, a real random number or an unordered collection, so a seed is
 * a replay; the trouble stays within what the system promises to survive, so every failure is a bug.
 */
package io.ecfs.sim;

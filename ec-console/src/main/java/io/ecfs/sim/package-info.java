/**
 * A whole control plane in one thread, on virtual time, from one seed: real namenodes, datanodes and clients on
 * simulated networks, disks, clocks and chance.
 *
 * <pre>
 *   Simulation ── Cluster ── NamenodeHost ×3   Namenode, MetadataState, MemoryStore on one MemoryQuorum ── Elections
 *        │           ├────── DatanodeHost ×N   ControlPlane, ChunkService, Volumes on MemoryVolumeIo
 *        │           └────── SimClient ×M      EcfsClient; SimWorkload enters in the Ledger what may be found later
 *        ├── Adversary       crashes, torn writes, lost power, partitions, storms, vanished clients: within a budget;
 *        │                   in a few worlds namenodes that are rolled back or meet a damaged entry, parity that is
 *        │                   wrong, leases that end under their writers, power lost in the middle of writes, and bits
 *        │                   that flip
 *        ├── Auditor         what must hold after every step, and what a quiet world must have come to
 *        └── FinalReading    every byte that was acknowledged, read back
 *
 *   each process:  SimProcess (Environment: SimScheduler, SimWorkers) ── SimCaller ── SimNetwork ── Handler of another
 *   all of it:     VirtualTime, one event after the other, every one of them in the EventTrace
 * </pre>
 *
 * What must always hold: nothing here reads a real clock, a real random number or an unordered collection, so a seed is
 * a replay; the trouble stays within what the system promises to survive, so every failure is a bug.
 */
package io.ecfs.sim;

/**
 * The cluster that is simulated: hosts of namenodes and datanodes, clients and what they did, the operator, and how all
 * of it is set for a seed.
 *
 * <pre>
 *   Cluster ── NamenodeHost ×3   Namenode, MetadataState, MemoryStore on one MemoryQuorum ── Elections
 *      ├────── DatanodeHost ×N   ControlPlane, ChunkService, Volumes on MemoryVolumeIo
 *      └────── SimClient ×M      EcfsClient; SimWorkload enters in the Ledger what may be found afterwards
 *
 *   each process:  SimProcess (Environment: SimScheduler, SimWorkers) ── SimCaller ── SimNetwork ── Handler of another
 * </pre>
 *
 * <p>One thread. A {@code CrashScenario} describes a crash; nothing here causes one: {@code sim.trouble} does.
 */
package io.ecfs.sim.cluster;

/**
 * Fault experiments in virtual time: what a {@link io.ecfs.fault.profile.FaultProfile} says happens to the hosts of a
 * simulated cluster, and what the history of its namenodes tells of it.
 *
 * <pre>
 *   profile --> Script --> victims (where the namenodes' facts place chunks, within the budget)
 *                 |---> Injector ---> hosts, links, disks, chunks ---> undone when healed, or when its time is over
 *                 '---> ProblemWatch, RepairMoments, FaultHistory: what the cluster notices of it
 *   ScriptedLoad: files written before, requests meanwhile, every byte read back
 * </pre>
 *
 * <p>Every kind of fault is simulated. A stopped process ends as a killed one does: both leave its page cache to the
 * machine. A frozen one runs nothing and its connections stay open; the log of a frozen namenode is cut off, too. One
 * thread; the same profile and seed, the same outcome.
 */
package io.ecfs.sim.script;

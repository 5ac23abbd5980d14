/**
 * The recovery of dead datanodes in simulated time: the real services of a namenode, its log and its history, with
 * datanodes that keep no byte and take the time of modelled hardware to rebuild a chunk. {@link
 * io.ecfs.bench.bed.recovery.RecoveryBed} runs a {@link io.ecfs.bench.bed.recovery.RecoveryPlan}; {@link
 * io.ecfs.bench.bed.recovery.PretendDatanode} is the datanode, also of tests with a real namenode.
 *
 * <pre>
 *   files: real commands ----> Namenode (leader, RepairRounds, history) <---- reports, heartbeats ----+
 *                                 |  orders                                                           |
 *                                 v                                                                   |
 *   PretendDatanode --Rebuild--> ChunkRebuild: slices of the code's plan --> BedDatanode: disk, link, cores
 * </pre>
 *
 * One thread; everything follows from the plan's seed.
 */
package io.ecfs.bench.bed.recovery;

/**
 * The test bed of EC-Store (section VI) in simulated time: sites with one queue each, clients that read many blocks at
 * once without thinking in between, and the costs, plans and samples of ECFS clients, its statistics and its mover
 * themselves. A disk is a model here and so is the clock; what decides which chunks are read and moved is the code that
 * runs in a cluster, but for the baselines without plans ({@code RandomChoice}).
 *
 * <pre>
 *   Requests --blocks--> BedStrategy --chunks--> QueuedSite --answers--> BedRequest --latency--> BedResult
 *                           ^                        |   ^                   |
 *                           |                        |   `---- called off ---+
 *                           +------- costs ----------|-----------------------'
 *                                                    `--loads, samples--> Mover --moves--> ChunkMap
 * </pre>
 */
package io.ecfs.bench.bed;

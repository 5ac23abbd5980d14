/**
 * Writes of many clients in virtual time, encoded by the client or by a master datanode, after Kim et al. (exa-scale
 * cost analysis): windows of stripes, links that are shared in each direction, processors, disks, a namenode, a star or
 * a torus. Times of the work on processors are the constants of {@code io.ecfs.plan.write}, so that one client with one
 * stripe under way takes exactly what {@link io.ecfs.plan.write.WriteCost} says; what queues for what follows from the
 * events. Deterministic: placements are drawn from the seed.
 *
 * <pre>
 *   WriteBedPlan --> WriteBed --BedWriter (a client)--> StripeWrite --> Machine, Topology
 *                        |                                  `--> CellSender: a stripe's cells, one after the other
 *                        `--> WriteBedResult: rate, five steps, utilizations
 * </pre>
 */
package io.ecfs.bench.bed.write;

/**
 * Writes of real daemons over limited links, beside Kim et al., the bed in virtual time and the cost model: one
 * namenode, datanodes, one client, all in this process. Only the links are a model
 * ({@link io.ecfs.bench.bed.network}); encoding, checksums, storing and loopback are real, and all machines share this
 * machine's processors.
 *
 * <pre>
 *   RealPlan --> RealBed --> WriteCluster --WriteMix--> WriteRun (steps, rate, bytes, processor time)
 *                   `--> StepReport, AutoReport, HeldOutReport, ThinReport --MeasuredTable--> Report
 *                   `--> SampleRows --> Report, rows of a SampleFile
 * </pre>
 */
package io.ecfs.bench.exstorus.cluster;
